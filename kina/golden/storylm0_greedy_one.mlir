builtin.module {
  func.func @greedy_one(%logits: tensor<1x1x8xf32> {bufferization.writable = false}) -> tensor<1x1xi64> attributes {llvm.emit_c_interface} {
    %0 = arith.constant 0xff800000 : f32
    %1 = arith.constant 2147483647 : i32
    %2 = tensor.empty() : tensor<1x1xf32>
    %3 = linalg.fill ins(%0 : f32) outs(%2 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits : tensor<1x1x8xf32>) outs(%3 : tensor<1x1xf32>) {
    ^bb0(%5: f32, %6: f32):
      %7 = arith.maximumf %6, %5 : f32
      linalg.yield %7 : f32
    } -> tensor<1x1xf32>
    %8 = tensor.empty() : tensor<1x1xi32>
    %9 = linalg.fill ins(%1 : i32) outs(%8 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%logits, %4 : tensor<1x1x8xf32>, tensor<1x1xf32>) outs(%9 : tensor<1x1xi32>) {
    ^bb0(%11: f32, %12: f32, %13: i32):
      %14 = linalg.index 2 : index
      %15 = arith.index_cast %14 : index to i32
      %16 = arith.cmpf oeq, %11, %12 : f32
      %17 = arith.cmpf uno, %11, %11 : f32
      %18 = arith.ori %16, %17 : i1
      %19 = arith.constant 2147483647 : i32
      %20 = arith.select %18, %15, %19 : i32
      %21 = arith.minsi %13, %20 : i32
      linalg.yield %21 : i32
    } -> tensor<1x1xi32>
    %22 = tensor.empty() : tensor<1x1xi64>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<1x1xi32>) outs(%22 : tensor<1x1xi64>) {
    ^bb0(%24: i32, %25: i64):
      %26 = arith.extsi %24 : i32 to i64
      linalg.yield %26 : i64
    } -> tensor<1x1xi64>
    func.return %23 : tensor<1x1xi64>
  }
}
