builtin.module {
  func.func @sample_one(%logits: tensor<1x1x8xf32> {bufferization.writable = false}, %inv_temperature: tensor<f32> {bufferization.writable = false}, %noise: tensor<1x1x8xf32> {bufferization.writable = false}, %0: tensor<1x1xi64> {bufferization.writable = true}) -> tensor<1x1xi64> attributes {llvm.emit_c_interface} {
    %1 = arith.constant 0xff800000 : f32
    %2 = arith.constant 8 : i32
    %inv_temperature_1 = tensor.extract %inv_temperature[] : tensor<f32>
    %3 = tensor.empty() : tensor<1x1x8xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%logits : tensor<1x1x8xf32>) outs(%3 : tensor<1x1x8xf32>) {
    ^bb0(%5: f32, %6: f32):
      %7 = arith.mulf %5, %inv_temperature_1 : f32
      linalg.yield %7 : f32
    } -> tensor<1x1x8xf32>
    %8 = tensor.empty() : tensor<1x1x8xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %noise : tensor<1x1x8xf32>, tensor<1x1x8xf32>) outs(%8 : tensor<1x1x8xf32>) {
    ^bb0(%10: f32, %11: f32, %12: f32):
      %13 = arith.addf %10, %11 : f32
      linalg.yield %13 : f32
    } -> tensor<1x1x8xf32>
    %14 = tensor.empty() : tensor<1x1xf32>
    %15 = linalg.fill ins(%1 : f32) outs(%14 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x1x8xf32>) outs(%15 : tensor<1x1xf32>) {
    ^bb0(%17: f32, %18: f32):
      %19 = arith.maximumf %18, %17 : f32
      linalg.yield %19 : f32
    } -> tensor<1x1xf32>
    %20 = tensor.empty() : tensor<1x1xi32>
    %21 = linalg.fill ins(%2 : i32) outs(%20 : tensor<1x1xi32>) -> tensor<1x1xi32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9, %16 : tensor<1x1x8xf32>, tensor<1x1xf32>) outs(%21 : tensor<1x1xi32>) {
    ^bb0(%23: f32, %24: f32, %25: i32):
      %26 = linalg.index 2 : index
      %27 = arith.index_cast %26 : index to i32
      %28 = arith.cmpf oeq, %23, %24 : f32
      %29 = arith.cmpf uno, %23, %23 : f32
      %30 = arith.ori %28, %29 : i1
      %31 = arith.constant 8 : i32
      %32 = arith.select %30, %27, %31 : i32
      %33 = arith.minsi %25, %32 : i32
      linalg.yield %33 : i32
    } -> tensor<1x1xi32>
    %34 = tensor.empty() : tensor<1x1xi64>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<1x1xi32>) outs(%34 : tensor<1x1xi64>) {
    ^bb0(%36: i32, %37: i64):
      %38 = arith.extsi %36 : i32 to i64
      linalg.yield %38 : i64
    } -> tensor<1x1xi64>
    %39 = bufferization.materialize_in_destination %35 in %0 : (tensor<1x1xi64>, tensor<1x1xi64>) -> tensor<1x1xi64>
    func.return %39 : tensor<1x1xi64>
  }
}
