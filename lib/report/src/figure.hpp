#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// A drawing and what is said of it. A mark that stands for a value says it in a <title>; the page shows it to who points at the mark or
/// goes through the marks by keyboard.
struct Figure {
  std::string name;         ///< for files: "margins-and-scores"
  std::string title;        ///< what it is
  std::string sentence;     ///< what to see in it
  std::string description;  ///< its numbers in a line, for who does not see it
  double width = 0;
  double height = 0;
  std::string marks;                     ///< SVG
  std::vector<std::string> legend = {};  ///< names of groups, in the order of their colours; empty where a colour is not used
};
using Figures = std::vector<Figure>;

/// Appends.
Figures& operator+=(Figures& figures, Figures more);

/// Figures of a page.
std::string html_of(const Figures& figures);
/// A figure as a file of its own: title, drawing, legend and sentence, light or dark as the viewer is.
std::string svg_file(const Figure& figure);

/// The class that gives the k-th group its colour.
std::string colour_class(std::size_t group);

/// Which selection has which colour, the same in all pictures of an audit: α* the first, α1, α2, … the next ones; what has no such name, by
/// the order in which it comes. Selections beyond the colours share the last.
class SelectionColours {
 public:
  std::size_t of(const std::string& selection);
  /// The selections that were asked for, by their colours, each with these words before it.
  std::vector<std::string> legend(const std::string& before = "") const;

 private:
  std::vector<std::vector<std::string>> shown_;  // by colours
  std::size_t nameless_ = 0;
};

/// "1.23e-05": a number as plots and tables show it.
std::string short_number(double value);
/// The same of a positive number that others are at most: never below it.
std::string short_upper(double value);

}  // namespace attest
