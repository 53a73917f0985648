// $name: the outputs' rows do not divide into vectors, and the right operand's rows run along them.
//
// Each step of the reduction axis adds a multiple of a row of the right operand to a row of outputs, in memory. LLVM
// vectorizes along the row and sees to its end; along the reduction axis it could not, as the right operand has gaps.
transform.named_sequence @$name(%op: !transform.any_op {transform.consumed}) {
  $threads
  %rows = transform.structured.interchange %block iterator_interchange = [$order]
    : (!transform.any_op) -> !transform.any_op
  transform.yield
}
