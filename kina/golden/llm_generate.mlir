builtin.module {
  func.func @generate(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_mix: tensor<4x4xf32> {bufferization.writable = false}, %w_head: tensor<4x8xf32> {bufferization.writable = false}, %state: tensor<2x4xf32> {bufferization.writable = false}, %token: tensor<2xi64> {bufferization.writable = false}, %0: tensor<2x12xi64> {bufferization.writable = true}, %1: tensor<i64> {bufferization.writable = true}, %2: tensor<2x4xf32> {bufferization.writable = true}) -> (tensor<2x12xi64>, tensor<i64>, tensor<2x4xf32>) attributes {llvm.emit_c_interface} {
    %3 = arith.constant 0 : i64
    %4 = arith.constant 12 : i64
    %5 = arith.constant -9223372036854775808 : i64
    %6 = arith.constant 0 : index
    %7 = arith.constant 0.000000e+00 : f32
    %8 = arith.constant 0xff800000 : f32
    %9 = arith.constant 8 : i32
    %10 = arith.constant 11 : index
    %11 = arith.constant 1 : i64
    %12 = tensor.empty() : tensor<2x12xi64>
    %13 = linalg.fill ins(%3 : i64) outs(%12 : tensor<2x12xi64>) -> tensor<2x12xi64>
    %14 = bufferization.alloc_tensor() copy(%state) : tensor<2x4xf32>
    %15 = bufferization.alloc_tensor() copy(%token) : tensor<2xi64>
    %state_1, %token_1, %tokens, %n = scf.while (%state_2 = %14, %token_2 = %15, %tokens_1 = %13, %n_1 = %3) : (tensor<2x4xf32>, tensor<2xi64>, tensor<2x12xi64>, i64) -> (tensor<2x4xf32>, tensor<2xi64>, tensor<2x12xi64>, i64) {
      %16 = arith.cmpi slt, %n_1, %4 : i64
      %17 = tensor.empty() : tensor<2xi8>
      %18 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%token_2 : tensor<2xi64>) outs(%17 : tensor<2xi8>) {
      ^bb0(%19: i64, %20: i8):
        %21 = arith.constant 0 : i64
        %22 = arith.cmpi ne, %19, %21 : i64
        %23 = arith.extui %22 : i1 to i8
        linalg.yield %23 : i8
      } -> tensor<2xi8>
      %24 = tensor.empty() : tensor<2xi64>
      %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<2xi8>) outs(%24 : tensor<2xi64>) {
      ^bb0(%26: i8, %27: i64):
        %28 = arith.constant 0 : i8
        %29 = arith.cmpi ne, %26, %28 : i8
        %30 = arith.extui %29 : i1 to i64
        linalg.yield %30 : i64
      } -> tensor<2xi64>
      %31 = tensor.empty() : tensor<i64>
      %32 = linalg.fill ins(%5 : i64) outs(%31 : tensor<i64>) -> tensor<i64>
      %33 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%25 : tensor<2xi64>) outs(%32 : tensor<i64>) {
      ^bb0(%34: i64, %35: i64):
        %36 = arith.maxsi %35, %34 : i64
        linalg.yield %36 : i64
      } -> tensor<i64>
      %37 = tensor.extract %33[] : tensor<i64>
      %38 = arith.cmpi sgt, %37, %3 : i64
      %39 = arith.andi %16, %38 : i1
      scf.condition(%39) %state_2, %token_2, %tokens_1, %n_1 : tensor<2x4xf32>, tensor<2xi64>, tensor<2x12xi64>, i64
    } do {
    ^bb0(%state_3: tensor<2x4xf32>, %token_3: tensor<2xi64>, %tokens_2: tensor<2x12xi64>, %n_2: i64):
      %40 = tensor.empty() : tensor<2x4xf32>
      %41 = linalg.fill ins(%7 : f32) outs(%40 : tensor<2x4xf32>) -> tensor<2x4xf32>
      %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%state_3, %w_mix : tensor<2x4xf32>, tensor<4x4xf32>) outs(%41 : tensor<2x4xf32>) attrs =  {kina.op = "matmul_nn_2x4x4_f32"} {
      ^bb0(%43: f32, %44: f32, %45: f32):
        %46 = arith.mulf %43, %44 fastmath<reassoc,contract> : f32
        %47 = arith.addf %45, %46 fastmath<reassoc,contract> : f32
        linalg.yield %47 : f32
      } -> tensor<2x4xf32>
      %48 = tensor.empty() : tensor<2x4xf32>
      %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%token_3 : tensor<2xi64>) outs(%48 : tensor<2x4xf32>) {
      ^bb0(%50: i64, %51: f32):
        %52 = arith.index_cast %50 : i64 to index
        %53 = arith.constant 7 : index
        %54 = arith.minsi %52, %53 : index
        %55 = arith.constant 0 : index
        %56 = arith.maxsi %54, %55 : index
        %57 = linalg.index 1 : index
        %58 = tensor.extract %w_embed[%56, %57] : tensor<8x4xf32>
        linalg.yield %58 : f32
      } -> tensor<2x4xf32>
      %59 = tensor.empty() : tensor<2x4xf32>
      %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%42, %49 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%59 : tensor<2x4xf32>) {
      ^bb0(%61: f32, %62: f32, %63: f32):
        %64 = arith.addf %61, %62 : f32
        linalg.yield %64 : f32
      } -> tensor<2x4xf32>
      %65 = tensor.empty() : tensor<2x4xf32>
      %state_4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<2x4xf32>) outs(%65 : tensor<2x4xf32>) {
      ^bb0(%66: f32, %67: f32):
        %68 = func.call @kina.tanh.f32(%66) : (f32) -> f32
        linalg.yield %68 : f32
      } -> tensor<2x4xf32>
      %69 = tensor.empty() : tensor<2x8xf32>
      %70 = linalg.fill ins(%7 : f32) outs(%69 : tensor<2x8xf32>) -> tensor<2x8xf32>
      %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%state_4, %w_head : tensor<2x4xf32>, tensor<4x8xf32>) outs(%70 : tensor<2x8xf32>) attrs =  {kina.op = "matmul_nn_2x8x4_f32"} {
      ^bb0(%72: f32, %73: f32, %74: f32):
        %75 = arith.mulf %72, %73 fastmath<reassoc,contract> : f32
        %76 = arith.addf %74, %75 fastmath<reassoc,contract> : f32
        linalg.yield %76 : f32
      } -> tensor<2x8xf32>
      %77 = tensor.empty() : tensor<2xf32>
      %78 = linalg.fill ins(%8 : f32) outs(%77 : tensor<2xf32>) -> tensor<2xf32>
      %79 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%71 : tensor<2x8xf32>) outs(%78 : tensor<2xf32>) {
      ^bb0(%80: f32, %81: f32):
        %82 = arith.maximumf %81, %80 : f32
        linalg.yield %82 : f32
      } -> tensor<2xf32>
      %83 = tensor.empty() : tensor<2xi32>
      %84 = linalg.fill ins(%9 : i32) outs(%83 : tensor<2xi32>) -> tensor<2xi32>
      %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%71, %79 : tensor<2x8xf32>, tensor<2xf32>) outs(%84 : tensor<2xi32>) {
      ^bb0(%86: f32, %87: f32, %88: i32):
        %89 = linalg.index 1 : index
        %90 = arith.index_cast %89 : index to i32
        %91 = arith.cmpf oeq, %86, %87 : f32
        %92 = arith.cmpf uno, %86, %86 : f32
        %93 = arith.ori %91, %92 : i1
        %94 = arith.constant 8 : i32
        %95 = arith.select %93, %90, %94 : i32
        %96 = arith.minsi %88, %95 : i32
        linalg.yield %96 : i32
      } -> tensor<2xi32>
      %97 = tensor.empty() : tensor<2xi64>
      %next = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%85 : tensor<2xi32>) outs(%97 : tensor<2xi64>) {
      ^bb0(%98: i32, %99: i64):
        %100 = arith.extsi %98 : i32 to i64
        linalg.yield %100 : i64
      } -> tensor<2xi64>
      %101 = tensor.empty() : tensor<2xi8>
      %102 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%token_3 : tensor<2xi64>) outs(%101 : tensor<2xi8>) {
      ^bb0(%103: i64, %104: i8):
        %105 = arith.constant 0 : i64
        %106 = arith.cmpi eq, %103, %105 : i64
        %107 = arith.extui %106 : i1 to i8
        linalg.yield %107 : i8
      } -> tensor<2xi8>
      %108 = tensor.empty() : tensor<2xi64>
      %next_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%102, %token_3, %next : tensor<2xi8>, tensor<2xi64>, tensor<2xi64>) outs(%108 : tensor<2xi64>) {
      ^bb0(%109: i8, %110: i64, %111: i64, %112: i64):
        %113 = arith.constant 0 : i8
        %114 = arith.cmpi ne, %109, %113 : i8
        %115 = arith.select %114, %110, %111 : i64
        linalg.yield %115 : i64
      } -> tensor<2xi64>
      %116 = tensor.expand_shape %next_1 [[0 : i64, 1 : i64]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
      %117 = arith.index_cast %n_2 : i64 to index
      %118 = arith.minsi %117, %10 : index
      %119 = arith.maxsi %118, %6 : index
      %120 = tensor.insert_slice %116 into %tokens_2[0, %119] [2, 1] [1, 1] : tensor<2x1xi64> into tensor<2x12xi64>
      %121 = arith.addi %n_2, %11 : i64
      %122 = bufferization.materialize_in_destination %state_4 in %state_3 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %123 = bufferization.alloc_tensor() copy(%next_1) : tensor<2xi64>
      %124 = bufferization.materialize_in_destination %123 in %token_3 : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      scf.yield %122, %124, %120, %121 : tensor<2x4xf32>, tensor<2xi64>, tensor<2x12xi64>, i64
    }
    %125 = bufferization.materialize_in_destination %tokens in %0 : (tensor<2x12xi64>, tensor<2x12xi64>) -> tensor<2x12xi64>
    %126 = linalg.fill ins(%n : i64) outs(%1 : tensor<i64>) -> tensor<i64>
    %127 = bufferization.materialize_in_destination %state_1 in %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    func.return %125, %126, %127 : tensor<2x12xi64>, tensor<i64>, tensor<2x4xf32>
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
