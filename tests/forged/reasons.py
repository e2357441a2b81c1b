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
CONFLICT_NOT_ZERO = Reason("the weighted key differences are not 0", "the combination is not 0")

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
