"""failure_test: a target whose analysis has to fail, with a certain message."""

def _failure_test_impl(ctx):
    target = ctx.attr.target

    # A list, in those versions of Bazel that take every transition for a split one.
    if type(target) == type([]):
        target = target[0]
    if AnalysisFailureInfo not in target:
        return [AnalysisTestResultInfo(success = False, message = "%s is accepted" % target.label)]
    messages = [cause.message for cause in target[AnalysisFailureInfo].causes.to_list()]
    for message in messages:
        # What `fail` was called with: one line, at the end.
        if message.strip().split("\n")[-1].endswith("Error in fail: " + ctx.attr.message):
            return [AnalysisTestResultInfo(success = True, message = "")]
    return [AnalysisTestResultInfo(
        success = False,
        message = "%s fails otherwise than by %s:\n%s" % (target.label, ctx.attr.message, "\n".join(messages)),
    )]

failure_test = rule(
    implementation = _failure_test_impl,
    analysis_test = True,
    attrs = {
        "message": attr.string(
            mandatory = True,
            doc = "All of the text that the rule fails with.",
        ),
        "target": attr.label(
            cfg = analysis_test_transition(settings = {
                "//command_line_option:allow_analysis_failures": "True",
            }),
            mandatory = True,
            doc = "The target, `manual` so that nothing else builds it.",
        ),
    },
    doc = "Tests that the analysis of a target fails.",
)
