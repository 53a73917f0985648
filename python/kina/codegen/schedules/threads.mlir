%block, %forall = transform.structured.tile_using_forall %op tile_sizes [$sizes]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
