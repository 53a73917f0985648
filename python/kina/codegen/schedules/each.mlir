  %$name = transform.structured.match attributes {kina.op = "$name"} in %module
    : (!transform.any_op) -> !transform.any_op
  transform.foreach %$name : !transform.any_op {
  ^one(%op: !transform.any_op):
    transform.include @$name failures(propagate) (%op) : (!transform.any_op) -> ()
  }
