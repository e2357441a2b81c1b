#include "statements.hpp"

#include <array>
#include <utility>

namespace attest {
namespace {

constexpr std::array<Statement, 25> statements = {{
    {"derivatives", "Derivatives agree",
     "Gradient and Hessian of the loss, computed by the expression graph, by the closed form and by differences, are "
     "the same to rounding.",
     R"(\nabla_p L = \frac{1}{n} \sum_i \ell^\prime(\gamma_i \cdot s_i) K_i^\top (\mathrm{diag}(s_i) - s_i s_i^\top) \gamma_i)",
     "[MM]"},
    {"assumption-a", "Assumption A",
     "On the interval I that the scores span, the slope of the loss is negative, bounded by M₁ and M₀-Lipschitz.",
     R"(\ell^\prime(u) < 0, \quad |\ell^\prime(u)| \le M_1, \quad |\ell^\prime(u) - \ell^\prime(w)| \le M_0 |u - w| \quad \text{for } u, w \in I)",
     "[MM]"},
    {"step-size", "Step size",
     "L_p bounds the curvature of the loss in p, so descent with steps of at most 1/L_p never increases the loss.",
     R"(\| \nabla^2_p L \| \le L_p = \frac{1}{n} \sum_i ( M_0 \|v\|^2 \|W\|^2 \|X_i\|^4 + 3 M_1 \|v\| \|W\|^2 \|X_i\|^3 ))",
     "[MM]"},
    {"p-svm", "p-SVM",
     "Some direction separates the selected token of every sample from its other tokens; this is the one of largest "
     "margin.",
     R"(\min_p \frac{1}{2} \|p\|^2 \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge 1 \quad \forall i, t \ne \alpha_i)",
     "[MM]"},
    {"v-svm", "v-SVM",
     "The selected tokens, taken as points with their labels, are separable; Γ = 1/‖v‖ is their label margin.",
     R"(\min_v \frac{1}{2} \|v\|^2 \quad \text{subject to} \quad Y_i v \cdot x_{i \alpha_i} \ge 1 \quad \forall i)",
     "[MM]"},
    {"joint-svm", "Joint p-SVM",
     "The p-SVM in which only the support vectors S of the v-SVM need a margin of 1; the other samples need 0.",
     R"(\min_p \frac{1}{2} \|p\|^2 \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge b_i, \quad b_i = 1 \text{ if } i \in S, \text{ else } 0)",
     "[MM]"},
    {"globally-optimal", "Globally optimal selection", "In every sample the selected token has the largest score.",
     R"(\gamma_{i \alpha_i} \ge \gamma_{it} = Y_i v \cdot x_{it} \quad \forall i, t)", "[MM]"},
    {"locally-optimal", "Locally optimal selection",
     "The selected token scores more than its neighbours: the tokens whose constraint is tight at the max-margin "
     "direction.",
     R"(\gamma_{i \alpha_i} > \gamma_{it} \quad \text{whenever} \quad (k_{i \alpha_i} - k_{it}) \cdot p^{\mathrm{mm}} = 1)",
     "[MM]"},
    {"census", "Census", "These are all locally optimal selections of the data, and there is no other.",
     R"(\{ \alpha : \alpha \text{ is locally optimal} \})", "[MM]"},
    {"prompt-weight", "Prompt and weights train alike",
     "Descent on the weights with a fixed prompt u stays on a line of rank-one matrices that follows descent on the "
     "prompt.",
     R"(W(k) = \frac{u p(k)^\top}{\|u\|^2} \quad \forall k)", "[MM]"},
    {"descent", "Descent reaches locally optimal selections",
     "Gradient descent heads for the max-margin direction of a locally optimal selection, from every start that was "
     "tried.",
     R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{for a locally optimal } \alpha)",
     "[MM]"},
    {"gd-global", "Theorem: global convergence of descent",
     "If the hypotheses hold, descent diverges in norm and converges in direction to the max-margin direction of the "
     "globally optimal selection: from any start with one sample whose other scores are equal, else from the basin, where "
     "the loss is below that of a second-best token.",
     R"(\|p(k)\| \to \infty, \quad \frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|} \quad \text{once } L(p(k)) < L^{*} + \frac{\chi}{n})",
     "[MM], ours"},
    {"gd-local", "Theorem: local convergence of descent",
     "If the selection is locally optimal, descent from far out in a cone around its max-margin direction converges to "
     "that direction.",
     R"(\frac{p(k)}{\|p(k)\|} \to \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|} \quad \text{from } \|p(0)\| \ge R, p(0) \cdot p^{\mathrm{mm}} \ge (1 - \mu) \|p(0)\| \|p^{\mathrm{mm}}\|)",
     "[MM]"},
    {"tightness", "Theorem: local optimality is needed",
     "If a neighbour scores more than the selected token and its multiplier λ is positive, and the tight rows are linearly "
     "independent, no descent converges to the max-margin direction: started on its ray, descent leaves it. The two conditions "
     "are this project's; without any the statement is false.",
     R"(\gamma_{it} > \gamma_{i \alpha_i} \text{ and } \lambda_{it} > 0 \text{ for a neighbour } t, \text{ tight rows independent} \quad \Rightarrow \quad \frac{p(k)}{\|p(k)\|} \text{ does not converge to } \frac{p^{\mathrm{mm}}(\alpha)}{\|p^{\mathrm{mm}}(\alpha)\|})",
     "[MM; conditions ours]"},
    {"path", "Theorem: regularisation path",
     "The minimisers of the loss over balls of growing radius R converge in direction to the max-margin direction.",
     R"(p_R = \argmin_{\|p\| \le R} L(v, p), \quad \frac{p_R}{R} \to \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|} \quad (R \to \infty))",
     "[MM]"},
    {"cross-validation", "Three computations, one direction",
     "Descent, the regularisation path and the exact SVM, which share no code, find the same direction.",
     R"(\frac{p(k)}{\|p(k)\|} \approx \frac{p_R}{\|p_R\|} \approx \frac{p^{\mathrm{mm}}}{\|p^{\mathrm{mm}}\|})",
     "[MM]"},
    {"assumption-b", "Assumption B",
     "Attention that moves off the selected tokens costs label margin, at a rate of at least ν.",
     R"(\exists \nu > 0 \forall p : \quad \text{margin}(x_1^p, \ldots, x_n^p) \le \Gamma - \nu \max_i (1 - s_{i \alpha_i}(p)))",
     "[MM]"},
    {"joint-path", "Theorem: joint regularisation path",
     "When head and prompt are trained together, the head converges in direction to the v-SVM and the prompt to the "
     "joint p-SVM, which is the plain one where Assumption B holds over all samples; over the support vectors alone the "
     "statement is this project's, and not proved.",
     R"((v_r, p_R) = \argmin_{\|v\| \le r, \|p\| \le R} L(v, p), \quad \frac{v_r}{r} \to \frac{v(\alpha)}{\|v(\alpha)\|}, \quad \frac{p_R}{R} \to \frac{p(\alpha)}{\|p(\alpha)\|})",
     "[MM]"},
    {"w-svm", "W-SVM",
     "Some matrix of attention weights separates the selected tokens from the others; this is the one of least norm.",
     R"(\min_W \|W\| \quad \text{subject to} \quad (x_{i \alpha_i} - x_{it})^\top W z_i \ge 1 \quad \forall i, t \ne \alpha_i)",
     "[TS]"},
    {"w-gd", "Theorem: descent on the weights",
     "Descent on the matrix of attention weights, from near a locally optimal direction or from the basin of the globally "
     "optimal selection, converges in direction to the solution of the Frobenius W-SVM.",
     R"(\frac{W(k)}{\|W(k)\|_F} \to \frac{W^{\mathrm{mm}}}{\|W^{\mathrm{mm}}\|_F})", "[TS]"},
    {"w-path", "Theorem: regularisation path of the weights",
     "The minimisers over Frobenius balls of growing radius converge in direction to the Frobenius W-SVM.",
     R"(W_R = \argmin_{\|W\|_F \le R} L(W), \quad \frac{W_R}{R} \to \frac{W^{\mathrm{mm}}}{\|W^{\mathrm{mm}}\|_F})",
     "[TS]"},
    {"kq-path", "Theorem: regularisation path of key and query",
     "When W = KQᵀ is trained through its factors, the path converges to the solutions of the nuclear-norm W-SVM.",
     R"(W = K Q^\top, \quad \|K\|_F^2 + \|Q\|_F^2 \le 2R, \quad \frac{W_R}{R} \to \argmin \|W\|_{*})", "[TS]"},
    {"overparametrised", "Over-parametrisation",
     "In enough dimensions and general position every selection can be separated.",
     R"(d \ge \max(T - 1, n) \quad \Rightarrow \quad \text{the W-SVM is feasible for every } \alpha)", "[TS]"},
    {"nonlinear-head", "Nonlinear heads",
     "With a nonlinear head descent selects sets of tokens: a finite part weighs them, and an unbounded part follows "
     "the generalised SVM.",
     R"(W(k) \approx W^{\mathrm{fin}} + C_k W^{\mathrm{mm}}, \quad W^{\mathrm{fin}} \perp W^{\mathrm{mm}})", "[TS]"},
    {"mirror-descent", "Mirror descent",
     "Mirror descent with the q-norm as its potential converges in direction to the SVM of least q-norm.",
     R"(\frac{p(k)}{\|p(k)\|_q} \to \argmin_p \|p\|_q \quad \text{subject to} \quad (k_{i \alpha_i} - k_{it}) \cdot p \ge 1)",
     "[MD]"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 42> meanings = {{
    {"objective", "½‖w‖², or the nuclear norm"},
    {"objective_exact", "the same, as a fraction"},
    {"margin", "1/norm of the solution"},
    {"solution", "the minimiser w"},
    {"support", "tight rows"},
    {"support_samples", "support vectors of the v-SVM"},
    {"farkas_rows", "rows that contradict each other"},
    {"neighbours", "tokens whose row is tight"},
    {"outscored_by", "neighbour that scores at least as much"},
    {"direction_rate", "slope of log direction error over log norm"},
    {"rank", "rank of W"},
    {"interval", "the scores' interval I"},
    {"slope_sup", "upper bound of ℓ′ on I"},
    {"m0", "bound of |ℓ″| on I"},
    {"m1", "bound of |ℓ′| on I"},
    {"lipschitz", "L_p"},
    {"worst_ratio", "largest Hessian norm seen ÷ L_p"},
    {"direction_error", "‖a/‖a‖ − b/‖b‖‖ to the limit"},
    {"secant_error", "direction error of the last difference"},
    {"heading_error", "direction error of the last stretch"},
    {"gradient_error", "relative, graph against closed form"},
    {"hessian_error", "relative, graph against closed form"},
    {"difference_error", "relative, against differences"},
    {"deviation", "relative to ‖W‖"},
    {"rate", "slope of log error over log norm"},
    {"norm", "norm at the end"},
    {"radius", "last radius R"},
    {"monotone", "no step increased the loss"},
    {"shares", "which selections the runs reached"},
    {"gd_vs_svm", "descent against exact SVM"},
    {"path_vs_svm", "path against exact SVM"},
    {"gd_vs_path", "descent against path at equal norm"},
    {"gamma", "label margin Γ"},
    {"nu_lower", "ν that is proved"},
    {"nu_upper", "no larger ν is possible"},
    {"v_error", "direction error of v to the v-SVM"},
    {"p_error", "direction error of p to the joint p-SVM"},
    {"regime", "how r grows with R"},
    {"selections", "the locally optimal selections"},
    {"nodes", "nodes of the search tree"},
    {"cells", "cells of the proof"},
    {"singular_values", "of W, largest first"},
}};

}  // namespace

const Statement* find_statement(std::string_view claim) {
  for (const Statement& statement : statements)
    if (statement.claim == claim) return &statement;
  return nullptr;
}

std::string_view meaning_of_number(std::string_view name) {
  for (const auto& [key, meaning] : meanings)
    if (key == name) return meaning;
  return {};
}

}  // namespace attest
