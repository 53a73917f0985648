// $name: each output is the dot product of a row of the left operand and a row of the right one.
//
// A register tile of outputs keeps one vector of partial sums per output while it walks the reduction axis,
// and adds them up at its end. Both operands are read along their rows, so nothing is packed.
transform.named_sequence @$name(%op: !transform.any_op {transform.consumed}) {
  $threads
  %tile, %loops:$loops = transform.structured.tile_using_for %block tile_sizes [$tile, 0] interchange = [$order]
    : (!transform.any_op) -> (!transform.any_op, $loop_types)
  %fill, %partial, %total, %walk = transform.structured.tile_reduction_using_for %tile by tile_sizes = [$walk]
    : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.annotate %walk "kina.reduction" : !transform.any_op
  transform.structured.vectorize %fill : !transform.any_op
  transform.structured.vectorize %partial : !transform.any_op
  transform.structured.vectorize %total : !transform.any_op
  transform.yield
}
