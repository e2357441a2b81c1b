#pragma once

#include <array>

namespace attest {

struct QuadratureNode {
  double node;
  double weight;
};

/// Gauss and Legendre's rules of N nodes for the mean over [0, 1]: exact for polynomials of degree 2N - 1.
///
/// The mean slope (l(u - G) - l(u)) / -G of a loss is such a mean, of l' over [u - G, u], and without cancellation where G is small.
/// It is taken with 8 nodes in graphs, which are to be smooth over a long reach; with 5 where descents sum rises of the loss; and with 4
/// where points of a path are judged, apart from the graph by which they were found.
inline constexpr std::array<QuadratureNode, 4> gauss4 = {{{0.06943184420297371, 0.17392742256872693},
                                                          {0.33000947820757187, 0.32607257743127307},
                                                          {0.66999052179242813, 0.32607257743127307},
                                                          {0.93056815579702629, 0.17392742256872693}}};

// From the middle outwards.
inline constexpr std::array<QuadratureNode, 5> gauss5 = {{{0.5, 0.5688888888888888889 / 2},
                                                          {(1 + 0.5384693101056830910) / 2, 0.4786286704993664680 / 2},
                                                          {(1 - 0.5384693101056830910) / 2, 0.4786286704993664680 / 2},
                                                          {(1 + 0.9061798459386639928) / 2, 0.2369268850561890875 / 2},
                                                          {(1 - 0.9061798459386639928) / 2, 0.2369268850561890875 / 2}}};

inline constexpr std::array<QuadratureNode, 8> gauss8 = {{{0.01985507175123188, 0.05061426814518813},
                                                          {0.10166676129318664, 0.11119051722668724},
                                                          {0.23723379504183550, 0.15685332293894363},
                                                          {0.40828267875217510, 0.18134189168918100},
                                                          {0.59171732124782490, 0.18134189168918100},
                                                          {0.76276620495816450, 0.15685332293894363},
                                                          {0.89833323870681340, 0.11119051722668724},
                                                          {0.98014492824876810, 0.05061426814518813}}};

}  // namespace attest
