builtin.module {
  func.func @step(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_mix: tensor<4x4xf32> {bufferization.writable = false}, %w_head: tensor<4x8xf32> {bufferization.writable = false}, %state: tensor<2x4xf32> {bufferization.writable = false}, %token: tensor<2xi64> {bufferization.writable = false}, %0: tensor<2x4xf32> {bufferization.writable = true}, %1: tensor<2xi64> {bufferization.writable = true}) -> (tensor<2x4xf32>, tensor<2xi64>) attributes {llvm.emit_c_interface} {
    %2 = arith.constant 0.000000e+00 : f32
    %3 = arith.constant 0xff800000 : f32
    %4 = arith.constant 8 : i32
    %5 = tensor.empty() : tensor<2x4xf32>
    %6 = linalg.fill ins(%2 : f32) outs(%5 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%state, %w_mix : tensor<2x4xf32>, tensor<4x4xf32>) outs(%6 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
    ^bb0(%8: f32, %9: f32, %10: f32):
      %11 = arith.mulf %8, %9 fastmath<reassoc,contract> : f32
      %12 = arith.addf %10, %11 fastmath<reassoc,contract> : f32
      linalg.yield %12 : f32
    } -> tensor<2x4xf32>
    %13 = tensor.empty() : tensor<2x4xf32>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%token : tensor<2xi64>) outs(%13 : tensor<2x4xf32>) {
    ^bb0(%15: i64, %16: f32):
      %17 = arith.index_cast %15 : i64 to index
      %18 = arith.constant 7 : index
      %19 = arith.minsi %17, %18 : index
      %20 = arith.constant 0 : index
      %21 = arith.maxsi %19, %20 : index
      %22 = linalg.index 1 : index
      %23 = tensor.extract %w_embed[%21, %22] : tensor<8x4xf32>
      linalg.yield %23 : f32
    } -> tensor<2x4xf32>
    %24 = tensor.empty() : tensor<2x4xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %14 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%24 : tensor<2x4xf32>) {
    ^bb0(%26: f32, %27: f32, %28: f32):
      %29 = arith.addf %26, %27 : f32
      linalg.yield %29 : f32
    } -> tensor<2x4xf32>
    %30 = tensor.empty() : tensor<2x4xf32>
    %state_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<2x4xf32>) outs(%30 : tensor<2x4xf32>) {
    ^bb0(%31: f32, %32: f32):
      %33 = func.call @kina.tanh.f32(%31) : (f32) -> f32
      linalg.yield %33 : f32
    } -> tensor<2x4xf32>
    %34 = tensor.empty() : tensor<2x8xf32>
    %35 = linalg.fill ins(%2 : f32) outs(%34 : tensor<2x8xf32>) -> tensor<2x8xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%state_1, %w_head : tensor<2x4xf32>, tensor<4x8xf32>) outs(%35 : tensor<2x8xf32>) attrs =  {kina.op = "matmul_nn_2x8x4_f32"} {
    ^bb0(%37: f32, %38: f32, %39: f32):
      %40 = arith.mulf %37, %38 fastmath<reassoc,contract> : f32
      %41 = arith.addf %39, %40 fastmath<reassoc,contract> : f32
      linalg.yield %41 : f32
    } -> tensor<2x8xf32>
    %42 = tensor.empty() : tensor<2xf32>
    %43 = linalg.fill ins(%3 : f32) outs(%42 : tensor<2xf32>) -> tensor<2xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%36 : tensor<2x8xf32>) outs(%43 : tensor<2xf32>) {
    ^bb0(%45: f32, %46: f32):
      %47 = arith.maximumf %46, %45 : f32
      linalg.yield %47 : f32
    } -> tensor<2xf32>
    %48 = tensor.empty() : tensor<2xi32>
    %49 = linalg.fill ins(%4 : i32) outs(%48 : tensor<2xi32>) -> tensor<2xi32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%36, %44 : tensor<2x8xf32>, tensor<2xf32>) outs(%49 : tensor<2xi32>) {
    ^bb0(%51: f32, %52: f32, %53: i32):
      %54 = linalg.index 1 : index
      %55 = arith.index_cast %54 : index to i32
      %56 = arith.cmpf oeq, %51, %52 : f32
      %57 = arith.cmpf uno, %51, %51 : f32
      %58 = arith.ori %56, %57 : i1
      %59 = arith.constant 8 : i32
      %60 = arith.select %58, %55, %59 : i32
      %61 = arith.minsi %53, %60 : i32
      linalg.yield %61 : i32
    } -> tensor<2xi32>
    %62 = tensor.empty() : tensor<2xi64>
    %63 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%50 : tensor<2xi32>) outs(%62 : tensor<2xi64>) {
    ^bb0(%64: i32, %65: i64):
      %66 = arith.extsi %64 : i32 to i64
      linalg.yield %66 : i64
    } -> tensor<2xi64>
    %67 = bufferization.materialize_in_destination %state_1 in %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %68 = bufferization.materialize_in_destination %63 in %1 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    func.return %67, %68 : tensor<2x4xf32>, tensor<2xi64>
  }
  func.func private @kina.exp.f32(%0: f32) -> f32 {
    %1 = arith.constant -1.040000e+02 : f32
    %2 = arith.cmpf olt, %0, %1 : f32
    %3 = arith.select %2, %1, %0 : f32
    %4 = arith.constant 8.900000e+01 : f32
    %5 = arith.cmpf ogt, %3, %4 : f32
    %6 = arith.select %5, %4, %3 : f32
    %7 = arith.constant 1.44269502 : f32
    %8 = arith.constant 0x4B400000 : f32
    %9 = math.fma %6, %7, %8 : f32
    %10 = arith.subf %9, %8 : f32
    %11 = arith.constant -0.693145752 : f32
    %12 = math.fma %10, %11, %6 : f32
    %13 = arith.constant -1.42860677e-06 : f32
    %14 = math.fma %10, %13, %12 : f32
    %15 = arith.constant 0.00138144754 : f32
    %16 = arith.constant 0.00836878084 : f32
    %17 = math.fma %15, %14, %16 : f32
    %18 = arith.constant 0.0416683927 : f32
    %19 = math.fma %17, %14, %18 : f32
    %20 = arith.constant 0.166665196 : f32
    %21 = math.fma %19, %14, %20 : f32
    %22 = arith.constant 0.49999994 : f32
    %23 = math.fma %21, %14, %22 : f32
    %24 = arith.constant 1.000000e+00 : f32
    %25 = math.fma %23, %14, %24 : f32
    %26 = math.fma %25, %14, %24 : f32
    %27 = arith.bitcast %9 : f32 to i32
    %28 = arith.constant 1262485504 : i32
    %29 = arith.subi %27, %28 : i32
    %30 = arith.constant 1 : i32
    %31 = arith.shrsi %29, %30 : i32
    %32 = arith.constant 127 : i32
    %33 = arith.addi %31, %32 : i32
    %34 = arith.constant 23 : i32
    %35 = arith.shli %33, %34 : i32
    %36 = arith.bitcast %35 : i32 to f32
    %37 = arith.mulf %26, %36 : f32
    %38 = arith.subi %29, %31 : i32
    %39 = arith.addi %38, %32 : i32
    %40 = arith.shli %39, %34 : i32
    %41 = arith.bitcast %40 : i32 to f32
    %42 = arith.mulf %37, %41 : f32
    func.return %42 : f32
  }
  func.func private @kina.tanh.f32(%0: f32) -> f32 {
    %1 = math.absf %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.constant -0.00570499478 : f32
    %4 = arith.constant 0.0206390936 : f32
    %5 = math.fma %3, %2, %4 : f32
    %6 = arith.constant -0.0537397154 : f32
    %7 = math.fma %5, %2, %6 : f32
    %8 = arith.constant 0.133314416 : f32
    %9 = math.fma %7, %2, %8 : f32
    %10 = arith.constant -0.333332807 : f32
    %11 = math.fma %9, %2, %10 : f32
    %12 = arith.mulf %2, %11 : f32
    %13 = math.fma %12, %1, %1 : f32
    %14 = arith.addf %1, %1 : f32
    %15 = func.call @kina.exp.f32(%14) : (f32) -> f32
    %16 = arith.constant 1.000000e+00 : f32
    %17 = arith.addf %15, %16 : f32
    %18 = arith.constant 2.000000e+00 : f32
    %19 = arith.divf %18, %17 : f32
    %20 = arith.subf %16, %19 : f32
    %21 = arith.constant 6.250000e-01 : f32
    %22 = arith.cmpf olt, %1, %21 : f32
    %23 = arith.select %22, %13, %20 : f32
    %24 = math.copysign %23, %0 : f32
    func.return %24 : f32
  }
}
