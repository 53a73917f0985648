// $name: the right operand's rows run along the output's rows.
//
// A register tile of outputs takes one outer product per step of the reduction axis: a column of the left
// operand times a row of the right one. The tile leaves the registers only at the end of that axis.
transform.named_sequence @$name(%op: !transform.any_op {transform.consumed}) {
  $threads
  %tile, %loops:$loops = transform.structured.tile_using_for %block tile_sizes [$tile, 1] interchange = [$order]
    : (!transform.any_op) -> (!transform.any_op, $loop_types)
  transform.annotate %loops#$last "kina.reduction" : !transform.any_op
  transform.structured.vectorize %tile : !transform.any_op
  transform.yield
}
