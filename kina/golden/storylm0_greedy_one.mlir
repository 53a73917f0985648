builtin.module {
  func.func @greedy_one(%logits: tensor<1x1x8xf32> {bufferization.writable = false}, %0: tensor<1x1xi64> {bufferization.writable = true}) -> tensor<1x1xi64> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0xff800000 : f32
    %2 = arith.constant 8 : i32
    %3 = tensor.empty() : tensor<1x1xf32>
    %4 = linalg.fill ins(%1 : f32) outs(%3 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x1x8xf32>) outs(%4 : tensor<1x1xf32>) {
    ^bb0(%6: f32, %7: f32):
      %8 = arith.maximumf %7, %6 : f32
      linalg.yield %8 : f32
    } -> tensor<1x1xf32>
    %9 = tensor.empty() : tensor<1x1xi32>
    %10 = linalg.fill ins(%2 : i32) outs(%9 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits, %5 : tensor<1x1x8xf32>, tensor<1x1xf32>) outs(%10 : tensor<1x1xi32>) {
    ^bb0(%12: f32, %13: f32, %14: i32):
      %15 = linalg.index 2 : index
      %16 = arith.index_cast %15 : index to i32
      %17 = arith.cmpf oeq, %12, %13 : f32
      %18 = arith.cmpf uno, %12, %12 : f32
      %19 = arith.ori %17, %18 : i1
      %20 = arith.constant 8 : i32
      %21 = arith.select %19, %16, %20 : i32
      %22 = arith.minsi %14, %21 : i32
      linalg.yield %22 : i32
    } -> tensor<1x1xi32>
    %23 = tensor.empty() : tensor<1x1xi64>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<1x1xi32>) outs(%23 : tensor<1x1xi64>) {
    ^bb0(%25: i32, %26: i64):
      %27 = arith.extsi %25 : i32 to i64
      linalg.yield %27 : i64
    } -> tensor<1x1xi64>
    %28 = bufferization.materialize_in_destination %24 in %0 : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi64>
    func.return %28 : tensor<1x1xi64>
  }
}
