// The schedule of one signature. It has three entry points: `tile` works on linalg over tensors, `bufferize` gives
// every tensor its memory, `lower_vectors` works on what that leaves.
module attributes {transform.with_named_sequence} {

$sequences
transform.named_sequence @tile(%module: !transform.any_op {transform.readonly}) {
$includes  %functions = transform.structured.match ops{["func.func"]} in %module
    : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %functions {
    transform.apply_patterns.vector.transfer_permutation_patterns
    transform.apply_patterns.vector.reduction_to_contract
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %functions : !transform.any_op
  // Accumulators leave the reduction loop here, while they are still values: after bufferization they are
  // memory, and nothing proves any more that they may. A loop of the program keeps its carry: a part of it, taken out
  // of the loop, would need a buffer of its own, which the body does not write to.
  %loops = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %loops : !transform.any_op
  %reductions = transform.structured.match ops{["scf.for"]} attributes {kina.reduction} in %module
    : (!transform.any_op) -> !transform.any_op
  transform.loop.hoist_loop_invariant_subsets %reductions : !transform.any_op
  transform.yield
}

// Copies become loops: a block of a larger tensor is not contiguous, and MLIR would call its runtime for it.
transform.named_sequence @bufferize(%module: !transform.any_op {transform.consumed}) {
  %buffers = transform.bufferization.one_shot_bufferize layout{$layout} %module
    {bufferize_function_boundaries = true, memcpy_op = "linalg.copy"}
    : (!transform.any_op) -> !transform.any_op
  // Every result lies in an argument's buffer, so the passes up to the next entry point drop it: of private functions.
  %functions = transform.structured.match ops{["func.func"]} in %buffers
    : (!transform.any_op) -> !transform.any_op
  %private = transform.param.constant "private" -> !transform.any_param
  transform.annotate %functions "sym_visibility" = %private : !transform.any_op, !transform.any_param
  transform.yield
}

transform.named_sequence @lower_vectors(%module: !transform.any_op {transform.readonly}) {
  %functions = transform.structured.match ops{["func.func"]} in %module
    : (!transform.any_op) -> !transform.any_op
  %public = transform.param.constant "public" -> !transform.any_param
  transform.annotate %functions "sym_visibility" = %public : !transform.any_op, !transform.any_param
  // One set of patterns at a time: together some of them undo each other without end.
  transform.apply_patterns to %functions {
    transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
    transform.apply_patterns.vector.lower_outerproduct
    transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
  } : !transform.any_op
  // The order of a sum is free, as it was in the contraction: pairs instead of one lane after the other.
  %sums = transform.structured.match ops{["vector.reduction"]} in %module
    : (!transform.any_op) -> !transform.any_op
  %free = transform.param.constant #arith.fastmath<reassoc> -> !transform.any_param
  transform.annotate %sums "fastmath" = %free : !transform.any_op, !transform.any_param
  transform.apply_patterns to %functions {
    transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
    transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
  } : !transform.any_op
  transform.yield
}

}
