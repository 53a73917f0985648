  // Each task clears the outputs that it sums into.
  %cleared = transform.get_producer_of_operand %op[2] : (!transform.any_op) -> !transform.any_op
  %block, %tasks = transform.structured.tile_using_forall %op tile_sizes [$sizes]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.fuse_into_containing_op %cleared into %tasks
    : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
