#include "figure.hpp"

#include "markup.hpp"
#include "page_assets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attest {
namespace {

constexpr std::size_t colour_count = 6;

std::string figure_html(const Figure& figure) {
  std::string entries;
  for (std::size_t k = 0; k < figure.legend.size(); ++k)
    if (!figure.legend[k].empty())
      entries += fmt::format("<li class=\"{}\"><span class=\"key\"></span>{}</li>", colour_class(k), escaped(figure.legend[k]));
  return fmt::format(
      "<figure class=\"plot\" data-name=\"{0}\"><figcaption><span class=\"title\">{1}</span> <span "
      "class=\"sentence\">{2}</span></figcaption>"
      "<svg viewBox=\"0 0 {3:g} {4:g}\" role=\"img\" aria-label=\"{1}: {5}\">{6}</svg>{7}</figure>",
      escaped(figure.name), escaped(figure.title), escaped(figure.sentence), figure.width, figure.height, escaped(figure.description),
      figure.marks, entries.empty() ? "" : "<ul class=\"legend\">" + entries + "</ul>");
}

// Of a file: what the page lays out around a drawing.
constexpr double file_margin = 10;
constexpr double line_height = 15;
constexpr double letter_width = 5.6;  // roughly, of the letters of a sentence
constexpr double title_letter = 7.3;  // which are larger, and bold
constexpr double least_width = 320;

/// Words in lines of so many letters at most.
std::vector<std::string> lines_of(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.size() - begin <= most ? text.size() : text.rfind(' ', begin + most);
    if (end == std::string::npos || end <= begin) end = std::min(text.find(' ', begin + most), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + (end < text.size() ? 1 : 0);
  }
  return lines;
}

std::string text_lines(const std::vector<std::string>& lines, double y, const char* kind) {
  std::string text;
  for (std::size_t k = 0; k < lines.size(); ++k)
    text += fmt::format("<text class=\"{}\" x=\"{:g}\" y=\"{:.1f}\">{}</text>", kind, file_margin,
                        y + line_height * static_cast<double>(k + 1), escaped(lines[k]));
  return text;
}

}  // namespace

Figures& operator+=(Figures& figures, Figures more) {
  figures.insert(figures.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return figures;
}

std::string html_of(const Figures& figures) {
  std::string text;
  for (const Figure& figure : figures) text += figure_html(figure);
  return text;
}

std::string svg_file(const Figure& figure) {
  const double width = std::max(figure.width, least_width) + 2 * file_margin;
  const auto letters = [&](double each) { return static_cast<std::size_t>((width - 2 * file_margin) / each); };
  const std::vector<std::string> title = lines_of(figure.title, letters(title_letter));
  const std::vector<std::string> sentence = lines_of(figure.sentence, letters(letter_width));
  const double top = file_margin + line_height * static_cast<double>(title.size()) + 4;
  double y = top + figure.height + 4;
  std::string legend;
  for (std::size_t k = 0; k < figure.legend.size(); ++k) {
    if (figure.legend[k].empty()) continue;
    legend += fmt::format("<g class=\"{0}\"><path class=\"line\" d=\"M{1:g} {2:.1f}h14\"/><text x=\"{3:g}\" y=\"{4:.1f}\">{5}</text></g>",
                          colour_class(k), file_margin, y + line_height - 4, file_margin + 20, y + line_height, escaped(figure.legend[k]));
    y += line_height;
  }
  const double height = y + line_height * static_cast<double>(sentence.size()) + file_margin;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{2:g}\" height=\"{3:g}\" role=\"img\" "
      "aria-label=\"{4}: {5}\"><title>{4}</title><desc>{6}</desc><style><![CDATA[{7}]]></style>"
      "<path class=\"paper\" d=\"M0 0H{0:g}V{1:g}H0z\"/>{8}<g transform=\"translate({9:g} {10:g})\">{11}</g>{12}{13}</svg>\n",
      width, height, 2 * width, 2 * height, escaped(figure.title), escaped(figure.description), escaped(figure.sentence), plot_style,
      text_lines(title, file_margin, "title"), (width - figure.width) / 2, top, figure.marks, legend, text_lines(sentence, y, "sentence"));
}

std::string colour_class(std::size_t group) { return fmt::format("s{}", group % colour_count); }

std::size_t SelectionColours::of(const std::string& selection) {
  constexpr std::string_view sign = "α";
  for (std::size_t k = 0; k < shown_.size(); ++k)
    if (std::ranges::find(shown_[k], selection) != shown_[k].end()) return k;
  std::size_t colour = 0;
  const std::string rest = selection.starts_with(sign) ? selection.substr(sign.size()) : "";
  if (rest == "*")
    colour = 0;
  else if (!rest.empty() && rest.size() < 9 && rest.find_first_not_of("0123456789") == std::string::npos)
    colour = std::stoul(rest);
  else
    colour = nameless_++;
  colour = std::min(colour, colour_count - 1);
  if (shown_.size() <= colour) shown_.resize(colour + 1);
  shown_[colour].push_back(selection);
  return colour;
}

std::vector<std::string> SelectionColours::legend(const std::string& before) const {
  std::vector<std::string> names;
  for (const std::vector<std::string>& shown : shown_)
    names.push_back(shown.empty() ? "" : before + (shown.size() == 1 ? shown.front() : fmt::format("{} others", shown.size())));
  return names;
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

std::string short_upper(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3);
  return short_number(std::isfinite(unit) && unit > 0 ? std::ceil(value / unit) * unit : value);
}

}  // namespace attest
