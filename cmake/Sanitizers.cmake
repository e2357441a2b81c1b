# ATTEST_SANITIZE=address,undefined instruments everything that is compiled here.
if(ATTEST_SANITIZE)
  add_compile_options(-fsanitize=${ATTEST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ATTEST_SANITIZE})
endif()
