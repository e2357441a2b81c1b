"""What the checkers say of a forgery: for each fault the words of both, so that the test sees that a forgery is
rejected for what was forged, and not for something else on the way there."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Reason:
    """`cpp` stands in the reason of attest-check, `python` in that of check_certificate.py; both begin with `place`."""

    cpp: str
    python: str
    place: str = ""

    def at(self, place: str) -> Reason:
        return replace(self, place=place)


def syntax(cpp: str, python: str = "not JSON") -> Reason:
    """The words after "not JSON" are those of Python's library, and change with its version."""
    return Reason(f"not JSON: {cpp}", python)


def missing(key: str) -> Reason:
    return Reason(f'the key "{key}" is missing', f"key '{key}' is missing")


def unknown(key: str) -> Reason:
    return Reason(f'unknown key "{key}"', f"unknown key '{key}'")


def no_kind(claim: str) -> Reason:
    return Reason(f'the claim "{claim}" has no kind', f"statement.kind: not a kind of {claim}")


def one_of(cpp: str, first: str, second: str) -> Reason:
    return Reason(cpp, f"'{first}' or '{second}' is due")


# §1 and §2: shapes
NOT_AN_OBJECT = Reason("not an object", "an object is due")
NOT_AN_ARRAY = Reason("not an array", "an array is due")
NOT_A_STRING = Reason("not a string", "a string is due")
NOT_A_BOOLEAN = Reason("not a boolean", "true or false is due")
NOT_A_RATIONAL = Reason("not a rational string", "is not a rational")
NO_RATIONAL_STRING = Reason("not a rational string", "a rational string is due")
ZERO_DENOMINATOR = Reason("not a rational string", "the denominator is zero")
NOT_AN_INDEX = Reason("not an integer from 0 to 2^31 - 1", "is not an index")
NOT_AN_INTEGER = Reason("not an integer from 0 to 2^31 - 1", "an integer is due")
NO_NODE = Reason("not an integer from 0 to 2^31 - 1", "an object is due")
WRONG_LENGTH = Reason(" entries, not ", " entries are due, not ")
NO_SUCH_SAMPLE = Reason("there is no sample", "is out of range")
NO_SUCH_TOKEN = Reason("has no token", "is out of range")
NOT_ASCENDING = Reason("not in strictly ascending order", "not strictly ascending")
OTHER_VERSION = Reason("not the integer 1", "version 1 is due")
NOT_A_LABEL = Reason("not a label 1 or -1", "1 or -1 is due")
TWICE = {key: Reason(f'the key "{key}" stands twice', f"duplicate key '{key}'") for key in ("claim", "w")}
NOT_UTF_8 = Reason("not UTF-8", "not UTF-8")
NO_V = Reason("the statement speaks of scores, but problem.v is missing", "the statement speaks of scores, but the problem has no v")

# §3: losses
UNCLOSED = Reason("expected ')'", "expression: ')' is due")
OUT_OF_PLACE = Reason("unexpected text", "is out of place")
NO_OPERAND = Reason("the expression ends too early", "expression: '' is out of place")
UNKNOWN_SIGN = Reason("unknown name or sign", "expression: nothing known at")
UNKNOWN_REST = Reason("unexpected text", "expression: nothing known at")
EXPONENT_RANGE = Reason("the exponent is not an integer from -64 to 64", "an exponent is not an integer between -64 and 64")
HUGE_DECIMAL = Reason("the number has an exponent outside -5000 to 5000", "out of range")
DIVISION = Reason("division by an interval that holds 0", "loss undefined: division by an interval that holds zero")
EXP_BEYOND = Reason("exp of an argument beyond 2^20", "exp of more than 2^20 in size")
LOG = Reason("log of an interval that is not above 0", "loss undefined: log of an interval that is not positive")
LOG1P = Reason("log of an interval that is not above 0", "loss undefined: log1p of an interval that is not above -1")
SQRT = Reason("sqrt of an interval that is not above 0", "loss undefined: sqrt of an interval that is not positive")

# §4.1 and §4.2: Assumption A
SLOPE_SUP = Reason("sup l' exceeds slope_sup", "the slope is not proved to be at most slope_sup")
SLOPE_SUP_SIGN = Reason("statement.slope_sup: not < 0", "slope_sup is not negative")
M1 = Reason("-inf l' exceeds m1", "the slope is not proved to be at most m1 in size")
M0 = Reason("sup l'' exceeds m0", "the curvature is not proved to be within m0")
M0_BELOW = Reason("-inf l'' exceeds m0", "the curvature is not proved to be within m0")
CUTS = Reason("cuts do not ascend inside interval", "not strictly increasing in the interval")
SCORE_OUTSIDE = Reason("lies outside the interval", "a score lies outside of the interval")
POINTS = Reason("statement: not lo <= a < b <= hi", "lo <= a < b <= hi does not hold")
NOT_BY_VALUES = Reason("by values: l(a) <= l(b) is not shown", "loss(a) <= loss(b) is not proved")
NOT_BY_SLOPE = Reason("by slope: l' >= 0 on [a, b] is not shown", "the slope is not proved to be at least 0")
NOT_THE_RANGE = Reason("statement.interval: not the least and the largest score", "the interval is not exactly that of the scores")
NOT_THE_SCORE = Reason("not the score of token", "not the score of the token")
SLOPE_NEGATIVE = Reason("by rational: l' >= 0 is not shown", "the slope is negative")
RATIONAL_DIVISION = Reason("by rational: division by 0", "by rational: division by 0")
NOT_RATIONAL = Reason("by rational: the loss holds a function", "by rational: the loss holds")

# §4.3 and §4.4: scores
SCORES_MORE = Reason("scores more than the selected one", "another token scores more")
OTHER_GAP = Reason("statement.gap: not the least difference of scores", "the gap is another")
NOT_UNIQUE = Reason("statement.unique: does not agree with the gap", "unique is wrong")
IS_SELECTED = Reason("witness.token: is the selected token", "the token is the selected one")
NOT_ENOUGH = Reason("does not score enough", "the token scores less than the selected one")

# §4.5 to §4.7: programs
NOT_POSITIVE = Reason("is not > 0", "a multiplier is not positive")
VIOLATED = Reason("violates the row", "is violated")
NOT_TIGHT = Reason("has a multiplier but is not tight", "has a multiplier but is not tight")
NOT_THE_COMBINATION = Reason("the sum of multiplier times row is not w", "the combination of rows is not w")
# attest-check looks at the rows before the combination, check_certificate.py after it.
ROW_AND_COMBINATION = Reason("has a multiplier but is not tight", "the combination of rows is not w")
VIOLATED_AND_COMBINATION = Reason("violates the row", "the combination of rows is not w")
NOT_ZERO = Reason("the sum of multiplier times row is not 0", "the combination of rows is not 0")
NO_MARGIN = Reason("the sum of multiplier times margin is not > 0", "the combination of right-hand sides is not positive")
SELECTED_ROW = Reason("names the selected token", "is not a row")
NO_SUCH_ROW = Reason("has no token", "is not a row")
LEFT_OUT = Reason("leaves out the tight row", "the tight rows are others")
LISTED_NOT_TIGHT = Reason("is not tight", "the tight rows are others")
NEIGHBOUR_LEFT_OUT = Reason("leaves out the tight row", "the neighbours are others")
NEIGHBOUR_NOT_TIGHT = Reason("is not tight", "the neighbours are others")
OBJECTIVE = Reason("statement.objective: not w.w/2", "the objective is another")
NEIGHBOUR_BEATS = Reason("does not score less", "does not score less")
NEIGHBOUR_LESS = Reason("scores less than the selected token", "it scores less")

# §4.8: census
NOT_FOUND = Reason("not the locally optimal leaves of witness.tree", "not what the tree finds")
OTHER_COUNT = Reason("not the number of selections", "not the number of selections")
ELSEWHERE = Reason("the conflict does not apply here", "the conflict lies elsewhere")
TWO_TOKENS = Reason("a second selected token", "two tokens for one sample")
BELOW_THE_LEAVES = Reason("branches below the last level", "children below a full selection")
NO_RISE = Reason("the point does not rise from token", "no rise to token")
BARE_PAIR = Reason("a pair without a multiplier beside another entry", "a bare pair is its sample's only entry")
NO_ENTRY_MULTIPLIER = Reason("no entry has a multiplier", "no multiplier")
LONG_CENTRE = Reason("is not less than the sum of the multipliers", "the centre is too long")

# §4.9 and §4.10: Assumption B
OPEN_NODE = Reason("the weights do not close the node", "not closed by its weights")
CHILDREN = Reason("not one child for each token that the sample offers", " entries are due, not ")
NOT_TO_ONE = Reason("the last cell does not end at 1", "the cells do not end at 1")
CELLS_NOT_ASCENDING = Reason("not in strictly ascending order", "the cells are not strictly ascending")
WEIGHT_SUM = Reason("the weights do not sum to 1", "the weights do not sum to 1")
WEIGHT_SIGN = Reason("the weight is not > 0", "a weight is not positive")
SAMPLE_DUE = Reason("is due", "is due")
SAMPLE_TOO_MANY = Reason("one sample too many", " entries are due, not ")
GAMMA = Reason("not 1/(v.v)", "not 1/(v.v)")
NU_SIGN = Reason("not > 0", "not positive")
COVER_NOT_DUE = Reason('unknown key "cover"', "due exactly when a sample outside S counts")
NOT_THE_ROW = Reason("not a combination of the row", "not the row")
LOWERS = Reason("lowers the margin", "lowers the margin")
ROW_SIGN = Reason("is not > 0", "is not positive")
NO_SECOND_TOKEN = Reason("no sample has a second token", "no sample of the maximum has a second token")
TO_THE_SELECTION = Reason("attention goes to the selection", "attention goes to the selection")
BELOW_ONE = Reason("below 1 for the token", "below 1 in sample")
OTHER_SAMPLES_ROW = Reason("is of another sample", "is of another sample")
Y_TOO_SMALL = Reason("too small for sample", "too small for sample")
NO_MARGIN_AT_POINT = Reason("no margin for sample", "no margin is shown for sample")

# §4.11 to §4.14: weight matrices
EMPTY = Reason("is empty", "empty")
NORM = Reason("the sum of multiplier times row has a norm above 1", "the combination of rows has a norm above 1")
ROOT = Reason("does not show that the sum of multiplier times row has a norm of at most 1", "does not show that the combination of rows has a norm of at most 1")
ROOT_SIDE = Reason("has neither d nor n lines", "d or n lines are due")
LOWER = Reason("above the sum of the multipliers", "above the sum of the multipliers")
UPPER = Reason("below half the sum of the squares of a and b", "below what a and b show")
TOKENS_DEPENDENT = Reason("the difference tokens are dependent", "not the full rank of the difference tokens")
TOKEN_RANK = Reason("not the number of tokens less one", "not the full rank of the difference tokens")
NOT_SEPARATED = Reason("do not separate every selection", "some selection is not separated")

# §4.15 to §4.18: hypotheses
DIFFERENT_SCORES = Reason("have different scores", "that are not selected have several scores")
DOES_NOT_SCORE_MORE = Reason("does not score more", "it does not score more")
NO_MULTIPLIER = Reason("has no multiplier", "no multiplier")
NEIGHBOUR_MORE = Reason("scores more", "scores more")
DEPENDENT = Reason("the tight rows are dependent", "the tight rows are dependent")
NOT_SLACK = Reason("is not below 1", "has a label margin of at least 1")
SUPPORT_SAMPLE = Reason("is a support vector", "not another token of a sample that is no support vector")
WRITTEN_OTHERWISE = Reason("the loss is not written as the logistic one", "the loss is written otherwise")
NO_DIFFERENCE = Reason("at u the loss is not shown to differ from the logistic one", "no difference to the logistic loss is shown at u")

# §4.19: what the kinds for limits share
OVER_OF = {over: Reason("goes with the other one", f"goes with '{over}'") for over in ("p", "W")}
OVER = one_of("neither p nor W", "p", "W")
EMPTY_LAMBDA = Reason("is empty", "empty")
SVM_VIOLATED = Reason("the SVM: theta < 1 at the row", "is violated")
SVM_NOT_TIGHT = Reason("is listed but not tight", "has a multiplier but is not tight")
# attest-check looks for rows that are violated before those that are not tight, check_certificate.py goes through the rows once.
SVM_NOT_TIGHT_AND_VIOLATED = Reason("does not solve the SVM: theta < 1 at the row", "has a multiplier but is not tight")
ZERO_COEFFICIENT = Reason("is 0", "a coefficient is 0")

# §4.20 to §4.23: descent
METHOD = Reason("none of constant, normalised, flow", "'constant', 'normalised' or 'flow' is due")
METHOD_OF_BASIN = Reason("neither constant nor flow", "'constant' or 'flow' is due")
STEP_SIGN = Reason("not > 0", "not positive")
NO_STEPS_OF_FLOW = Reason("not 0, but the method is flow", "0 is due for flow")
NOT_FOR_FLOW = {key: Reason("not allowed for flow", f"unknown key '{key}'") for key in ("step", "spectral")}
NULL_START = Reason("null, which only descent-basin allows", "null is not allowed")
BITS = Reason("not between 64 and 32768", "not between 64 and 2^15")
TOO_MUCH_WORK = Reason("refused: too much work", "refused: too much work")
CURVE_LOST = Reason("the run", "the run")
RUN_STATIONARY = Reason("the gradient is not shown to differ from 0", "the run: it may pass through a stationary point")
BASIN_1 = Reason("does not score less than the selected one", "clause 1: token")
BASIN_2 = Reason("clause 2: the step is too long", "clause 2: the step is too long")
BASIN_3_STEPS = Reason("clause 3: start is null, but iterations is not 0", "clause 3: no iterations go with every start")
BASIN_3_SAMPLES = Reason("clause 3: start is null, but two samples have two tokens", "clause 3: several samples have two tokens")
BASIN_3_SCORES = Reason("clause 3: start is null, but the other tokens have unequal scores", "clause 3: the other scores differ")
BASIN_4 = Reason("clause 4: the loss of p_K is not shown to lie below that of the second best tokens", "clause 4: p_K is not shown to lie in the basin")
CONE_1_TIGHT = Reason("clause 1: the tight row", "is tight but has no multiplier")
CONE_1_SCORE = Reason("is listed, but its gap is not > 0", "does not score less")
CONE_2 = Reason("clause 2: the products of the listed rows are not shown to be positive definite", "clause 2: the Gram matrix of the listed rows is not shown to be positive definite")
CONE_3 = Reason("clause 3: p_K.w > 0 is not shown", "clause 3: p_K.w is not shown to be positive")
CONE_6 = Reason("clause 6: epsilon < 1 is not shown", "clause 6: epsilon is not shown to be below 1")
CONE_7 = Reason("clause 7: kappa > 0 is not shown", "clause 7: kappa is not shown to be positive")
CONE_9 = Reason("clause 9: spectral is not shown to be an upper bound", "clause 9: spectral is not shown to be large enough")
CONE_9_STEP = Reason("clause 9: the step is too long", "clause 9: the step is too long")
CONE_10 = Reason("clause 10: r is not shown to stay within rho", "clause 10: the cone does not close at rho")
CONE_11 = Reason("clause 11: rate is too small", "clause 11: the rate is too small")
NUMBER_SIGN = Reason("not > 0", "not positive")
WEDGE_TIE = Reason("has no gap > 0", "does not score less")
WEDGE_H = Reason("h > 0 is not shown", "h is not shown to be positive")
WEDGE_1 = Reason("clause 1: B > 0 is not shown", "clause 1: the wedge is too wide")
WEDGE_1_E = Reason("clause 1: e < 1 is not shown", "clause 1: e_i < 1 is not shown")
WEDGE_2 = Reason("clause 2: the tight row", "clause 2: a tight row is not shown to pull")
WEDGE_2_K = Reason("clause 2: k > 0 is not shown at the row", "clause 2: k_c > 0 is not shown")
WEDGE_4 = Reason("clause 4: u > 0 is not shown", "clause 4: u > 0 is not shown")
WEDGE_5 = Reason("clause 5: the run is not shown to stay in the wedge", "clause 5: the wedge does not close")

# §4.24 to §4.26: paths
RADII = Reason("not in strictly ascending order", "not positive and strictly ascending")
RADIUS_NEGATIVE = Reason("not > 0", "not positive and strictly ascending")
SQUARE_SIGN = Reason("not > 0", "not positive")
RATE_SIGN = Reason("not > 0", "not positive")
RATE_IN_A_CONE = Reason("not null, but there is a cone", "null is due with a cone")
PATH_3 = Reason("clause 3: the row", "clause 3: row")
PATH_3_CONE = Reason("clause 3: not > 0", "clause 3: the cone's radius and opening are not positive")
PATH_4 = Reason("clause 4: the shift is not shorter than the radius", "clause 4: the shift is not shorter than the radius")
PATH_5_SIGN = Reason("clause 5: h is not > 0", "clause 5: the reach is not positive")
PATH_5_GAP = Reason("clause 5: h is not below every Delta", "clause 5: the reach is not below every gap")
PATH_5 = Reason("clause 5: the first stage does not close within", "clause 5: the reach is too small")
PATH_5_CONE = Reason("clause 5': h is too small for sample", "clause 5': the reach is too small")
PATH_5_FLOOR = Reason("clause 5': not r0 <= r1 <= R0", "clause 5': not r0 <= floor <= radius")
PATH_5_SHIFT = Reason("clause 5': the shift leaves the cone", "clause 5': the shift leaves the cone")
PATH_5_ROW = Reason("clause 5': sigma > 0 is not shown for the row", "is not shown to be positive in the cone")
PATH_5_BETTER = Reason("clause 5': sigma > Theta is not shown for the row", "which scores more, is not shown to exceed Theta in the cone")
PATH_6_ORDER = Reason("clause 6: not 0 < mu_i <= M_i", "clause 6: not 0 < mu <= M")
PATH_6_MU = Reason("clause 6: sup l' exceeds -mu_i", "is not shown to be at least mu in size")
PATH_6_M = Reason("clause 6: -inf l' exceeds M_i", "is not shown to be at most M in size")
PATH_6_NULL = Reason("not null, but the sample has one token", "null is due for a sample of one token")
PATH_7_XI = Reason("clause 7': xi < 1 is not shown", "clause 7': xi is not shown to be below 1")
PATH_8 = Reason("clause 8: 2 D <= K Theta is not shown", "clause 8: the square is too small")
PATH_8_RADIUS = Reason("clause 8: D < R0 Theta is not shown", "clause 8: the offset is not shown to be below radius Theta")
PATH_9_NO_FIRST = Reason("clause 9: not r0, and there is no first pass", "clause 9: without `first` the floor is r0")
PATH_9_FIRST_FLOOR = Reason("clause 9: the floor of the first pass is not r0", "clause 9: the floor of `first` is not r0")
PATH_9 = Reason("clause 9: r1 <= R0 - D1/Theta is not shown", "clause 9: the floor is above what `first` shows")
PATH_10_DEPENDENT = Reason("clause 10: the listed rows are not shown to be independent", "clause 10: the listed rows are dependent")
PATH_10_TIGHT = Reason("is tight but not listed", "is tight without a multiplier")
PATH_11_RADIUS = Reason("clause 11: R0 Theta >= 1 is not shown", "clause 11: radius Theta is not shown to be at least 1")
PATH_11_GAP = Reason("clause 11: h0 exceeds half the least listed Delta", "clause 11: h0 is more than half of the least gap of a listed row")
PATH_11_B = Reason("clause 11: m0 h0 exceeds half the least b", "clause 11: m0 h0 is more than half of the least b")
PATH_12 = Reason("clause 12: Q is too small", "clause 12: the rate is too small")
RATIO_1 = Reason("clause 1: the row", "clause 1: row")
RATIO_3 = Reason("clause 3: the first stage does not close within h", "clause 3: the reach is too small")
RATIO_3_GAP = Reason("clause 3: h is not below every Delta", "clause 3: the reach is not below every gap")
RATIO_5 = Reason("clause 5: too small for the row", "clause 5: the offset is too small for row")
RATIO_5_RADIUS = Reason("clause 5: not above upper times offset", "clause 5: upper times offset is not below the radius")
LOWER_SIGN = Reason("not > 0", "not positive")
OFFSET_SIGN = Reason("is negative", "negative")
JOINT_1 = Reason("clause 1: the loss is not written as the logistic one", "clause 1: the loss is written otherwise")
JOINT_WEIGHTS = Reason("the sum of weight times token is not gamma_squared v", "their combination is not gamma_squared v")
JOINT_SIGN = Reason("not > 0", "r and R are not positive")
JOINT_NEGATIVE = Reason("is negative", "theta and c are not at least 0")
JOINT_4_THETA = Reason("clause 4: too small for sample", "clause 4: theta is too small for sample")
JOINT_4_GAMMA = Reason("clause 4: theta < Gamma is not shown", "clause 4: theta is not below Gamma")
JOINT_4_C = Reason("clause 4: c is too small", "clause 4: c is too small")
JOINT_4_R = Reason("clause 4: r (Gamma - theta) > c is not shown", "clause 4: r (Gamma - theta) is not above c")
JOINT_5_THETA = Reason("statement.head_theta: clause 5: too small", "clause 5: head_theta is too small")
JOINT_5_C = Reason("statement.head_c: clause 5: too small", "clause 5: head_c is too small")
JOINT_6_TOKEN = Reason("clause 6: the first pass does not order the token", "may gain margin within epsilon")
JOINT_6_SHIFT = Reason("clause 6: not shorter than r", "clause 6: the shift is not shorter than r")
JOINT_6_THETA = Reason("statement.head_theta: clause 6: too small for sample", "clause 6: head_theta is too small for sample")
JOINT_6_C = Reason("statement.head_c: clause 6: too small", "clause 6: head_c is too small")
JOINT_7 = Reason("clause 7: theta' + c'/r < Gamma is not shown", "clause 7: head_theta + head_c/r is not below Gamma")
JOINT_6_SIGN = Reason("statement.head_c: is negative", "clause 6: head_c is negative")

# §4.27: stationary points
BY_NO_POINT = Reason("none of direction, query, rank", "not a way to show that there is no stationary point")
FOR_W = Reason("for W alone", "is for W alone")
DIRECTION_ORDER = Reason("that scores less", "otherwise than the scores")
DIRECTION_FLAT = Reason("tells no two tokens of unlike scores apart", "no pair of tokens is set apart")
QUERY_NEGATIVE = Reason("Y q.z < 0 in sample", "negative for a sample")
QUERY_ZERO = Reason("no sample of unlike scores has Y q.z > 0", "positive for no sample")
QUERIES_DEPENDENT = Reason("by rank: the queries of the samples with unlike scores are dependent", "the queries of the samples whose scores differ are dependent")
NO_SCORES_DIFFER = Reason("by rank: every sample has equal scores", "no sample has scores that differ")
BY_POINT = one_of("neither origin nor krawczyk", "origin", "krawczyk")
CENTRE = Reason("by origin: not 0", "not 0")
NOT_CANCELLING = Reason("do not cancel", "do not cancel")
RADIUS_SIGN = Reason("not > 0", "not positive")
BASIS_DEPENDENT = Reason("clause 1: the columns of basis are dependent", "clause 1: the columns of the basis are dependent")
BASIS_SPAN = Reason("clause 1: a difference of keys is no combination of basis", "clause 1: the basis does not span the differences of the keys")
BASIS_OUTSIDE = Reason("clause 1: a column of basis lies outside the span of the differences", "clause 1: the basis does not span the differences of the keys")
KRAWCZYK_4 = Reason("clause 4: the box is not mapped into itself", "of the box is not mapped into itself")

# §4.28: sparsity
EPSILON = Reason("not between 0 and 1", "not between 0 and 1")
SPARSITY_ORDER = Reason("below lower", "not 0 <= lower <= upper")
SPARSITY_NEGATIVE = Reason("is negative", "not 0 <= lower <= upper")
SPARSITY_1 = Reason("clause 1: the weights do not show lower", "clause 1: lower is not shown")
SPARSITY_1_ZERO = Reason("clause 1: the sum of weight times row is 0", "clause 1: the combination of rows is 0")
SPARSITY_1_SIGN = Reason("clause 1: A >= 0 is not shown", "clause 1: A is not shown to be at least 0")
SPARSITY_1_EMPTY = Reason("clause 1: no weights, but lower is not 0", "clause 1: a lower bound needs weights")
SPARSITY_2 = Reason("clause 2: attention 1 - epsilon is not shown for sample", "clause 2: the point does not give the selected token")
SPARSITY_3 = Reason("clause 3: longer than upper", "clause 3: the point is longer than upper")
SPARSITY_NOT_ZERO = Reason("the sum of weight times row is not 0", "the combination of rows is not 0")
SPARSITY_NOT_POSITIVE = Reason("A > 0 is not shown", "A is not shown to be positive")

# §4.29: heads
HEAD_NO_V = Reason("the head takes v.x, but problem.v is missing", "the statement speaks of scores, but the problem has no v")
AT_THE_SELECTED = Reason("has the v.x of the selected one", "are not all on one side of the selected one")
BOTH_SIDES = Reason("has tokens on both sides", "are not all on one side of the selected one")
HEAD_FIRST_CELL = Reason("not shown on cell 0 of", "are not shown on its first cell, by the slope")
HEAD_CELL = Reason("not shown on cell", "are not shown on its cell")
HEAD_SIGN = Reason("c_lo is not > 0", "the lower bound is not positive")
HEAD_CUTS = Reason("cuts do not lead from the selected token to the farthest one", "not ordered away from the selected token, inside of the stretch")
HEAD_NO_CUTS = Reason("cuts do not lead from the selected token to the farthest one", "a sample of one token has no cuts")
HEAD_INTERVAL = Reason("clause 2: the interval does not hold the head of sample", "may lie outside of the interval")
HEAD_5_RANGE = Reason("clause 5: not between 0 and 1", "clause 5: the reach is not between 0 and 1")

# §4.30: the first step
NOT_RAISED = Reason("the first step is not shown to raise the row", "the first step is not shown to raise row")
NOT_LOWERED = Reason("the first step is not shown to lower the row", "the first step is not shown to lower row")
RAISES = Reason("push the row up", "raise the row")
START_NOT_ZERO = Reason("by origin: not 0", "not 0")
BY_STEP = one_of("neither enclosure nor origin", "enclosure", "origin")

# §4.31: brackets
SCALE_TOO_LARGE = Reason("too large for the row", "is violated")
SCALE_SIGN = Reason("not > 0", "not positive")
DISTANCE = Reason("below what the gap proves", "less than the gap proves")
DISTANCE_SIGN = Reason("below 0", "negative")
LOWER_END = Reason("above what the multipliers prove", "not shown").at("statement.lower")
UPPER_END = Reason("below half the square of the point", "not shown").at("statement.upper")
NOT_EXCLUDED = Reason("which may be tight", "is left out but not excluded")
NOT_POSSIBLE = Reason("is not among the possible ones", "is not possible")
NOT_SHOWN = Reason("has a positive product with the row", "is positive")
NOT_STRICT = Reason("to be tight", "is not shown to be tight")
NOT_INDEPENDENT = Reason("too large for the rows that may be tight", "too large for the possible rows")
FAR_MULTIPLIER = Reason("has a multiplier and is not among the possible ones", "has a multiplier and is not possible")
COEFFICIENT_ZERO = Reason("is 0", "a coefficient is 0")
NO_NEIGHBOUR = Reason("not among the possible rows", "not among the possible rows")

# §4.32: curvature
NEGATIVE = Reason("negative", "negative")
CURVATURE_WEIGHT = Reason("is too small on cell", "is too small on the cell from")
CURVATURE_WIDTHS = Reason("too small for the widths of the samples", "too small for the widths of the samples").at("witness.widths")
CURVATURE_SPREAD = Reason("too small for the tokens of the samples", "too small for the tokens of the samples").at("witness.spread")
CURVATURE_BOUND = Reason("less than (widths + spread)/n", "less than (widths + spread)/n").at("statement.bound")
CURVATURE_FORM = one_of("neither width nor tokens", "width", "tokens").at("witness.forms")
