builtin.module {
  func.func @prefill_any(%w_embed: tensor<8x4xf32> {bufferization.writable = false}, %w_wq: tensor<4x4xf32> {bufferization.writable = false}, %w_wk: tensor<4x4xf32> {bufferization.writable = false}, %w_wv: tensor<4x4xf32> {bufferization.writable = false}, %w_wo: tensor<4x4xf32> {bufferization.writable = false}, %w_lm_head: tensor<4x8xf32> {bufferization.writable = false}, %w_scale: tensor<f32> {bufferization.writable = false}, %token_ids: tensor<1x?xi64> {bufferization.writable = false}, %0: tensor<1x2x2x?xf32> {bufferization.writable = true}, %1: tensor<1x2x?x2xf32> {bufferization.writable = true}, %2: tensor<1x1x8xf32> {bufferization.writable = true}) -> (tensor<1x2x2x?xf32>, tensor<1x2x?x2xf32>, tensor<1x1x8xf32>) attributes {llvm.emit_c_interface} {
    %3 = arith.constant 1 : index
    %4 = tensor.dim %token_ids, %3 : tensor<1x?xi64>
    %5 = arith.constant 0.000000e+00 : f32
    %6 = arith.constant 2 : index
    %7 = arith.constant 0xff800000 : f32
    %8 = arith.constant -1 : index
    %9 = arith.addi %4, %8 : index
    %w_scale_1 = tensor.extract %w_scale[] : tensor<f32>
    %10 = tensor.empty(%4) : tensor<1x?x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%token_ids : tensor<1x?xi64>) outs(%10 : tensor<1x?x4xf32>) {
    ^bb0(%11: i64, %12: f32):
      %13 = arith.index_cast %11 : i64 to index
      %14 = arith.constant 7 : index
      %15 = arith.minsi %13, %14 : index
      %16 = arith.constant 0 : index
      %17 = arith.maxsi %15, %16 : index
      %18 = linalg.index 2 : index
      %19 = tensor.extract %w_embed[%17, %18] : tensor<8x4xf32>
      linalg.yield %19 : f32
    } -> tensor<1x?x4xf32>
    %20 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %21 = tensor.empty(%4) : tensor<?x4xf32>
    %22 = linalg.fill ins(%5 : f32) outs(%21 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20, %w_wq : tensor<?x4xf32>, tensor<4x4xf32>) outs(%22 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%24: f32, %25: f32, %26: f32):
      %27 = arith.mulf %24, %25 fastmath<reassoc,contract> : f32
      %28 = arith.addf %26, %27 fastmath<reassoc,contract> : f32
      linalg.yield %28 : f32
    } -> tensor<?x4xf32>
    %29 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %30 = tensor.empty(%4) : tensor<?x4xf32>
    %31 = linalg.fill ins(%5 : f32) outs(%30 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29, %w_wk : tensor<?x4xf32>, tensor<4x4xf32>) outs(%31 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%33: f32, %34: f32, %35: f32):
      %36 = arith.mulf %33, %34 fastmath<reassoc,contract> : f32
      %37 = arith.addf %35, %36 fastmath<reassoc,contract> : f32
      linalg.yield %37 : f32
    } -> tensor<?x4xf32>
    %38 = tensor.collapse_shape %x [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %39 = tensor.empty(%4) : tensor<?x4xf32>
    %40 = linalg.fill ins(%5 : f32) outs(%39 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%38, %w_wv : tensor<?x4xf32>, tensor<4x4xf32>) outs(%40 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%42: f32, %43: f32, %44: f32):
      %45 = arith.mulf %42, %43 fastmath<reassoc,contract> : f32
      %46 = arith.addf %44, %45 fastmath<reassoc,contract> : f32
      linalg.yield %46 : f32
    } -> tensor<?x4xf32>
    %47 = tensor.expand_shape %23 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%4, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %48 = tensor.empty(%4) : tensor<2x?x2xf32>
    %49 = linalg.transpose ins(%47:tensor<?x2x2xf32>) outs(%48:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %50 = tensor.expand_shape %32 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%4, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %51 = tensor.empty(%4) : tensor<2x2x?xf32>
    %52 = linalg.transpose ins(%50:tensor<?x2x2xf32>) outs(%51:tensor<2x2x?xf32>) permutation = [1, 2, 0]
    %53 = tensor.empty(%4, %4) : tensor<2x?x?xf32>
    %54 = linalg.fill ins(%5 : f32) outs(%53 : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
    %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49, %52 : tensor<2x?x2xf32>, tensor<2x2x?xf32>) outs(%54 : tensor<2x?x?xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNxNx2_f32"} {
    ^bb0(%56: f32, %57: f32, %58: f32):
      %59 = arith.mulf %56, %57 fastmath<reassoc,contract> : f32
      %60 = arith.addf %58, %59 fastmath<reassoc,contract> : f32
      linalg.yield %60 : f32
    } -> tensor<2x?x?xf32>
    %61 = tensor.from_elements %3, %6, %4, %4 : tensor<4xindex>
    %62 = tensor.reshape %55(%61) : (tensor<2x?x?xf32>, tensor<4xindex>) -> tensor<1x2x?x?xf32>
    %63 = tensor.empty(%4, %4) : tensor<1x2x?x?xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x?x?xf32>) outs(%63 : tensor<1x2x?x?xf32>) {
    ^bb0(%64: f32, %65: f32):
      %66 = arith.mulf %64, %w_scale_1 : f32
      linalg.yield %66 : f32
    } -> tensor<1x2x?x?xf32>
    %67 = tensor.empty(%4, %4) : tensor<?x?xi8>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%67 : tensor<?x?xi8>) {
    ^bb0(%69: i8):
      %70 = linalg.index 1 : index
      %71 = arith.index_cast %70 : index to i64
      %72 = linalg.index 0 : index
      %73 = arith.index_cast %72 : index to i64
      %74 = arith.cmpi sle, %71, %73 : i64
      %75 = arith.extui %74 : i1 to i8
      linalg.yield %75 : i8
    } -> tensor<?x?xi8>
    %76 = tensor.empty(%4, %4) : tensor<1x2x?x?xf32>
    %77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %scores : tensor<?x?xi8>, tensor<1x2x?x?xf32>) outs(%76 : tensor<1x2x?x?xf32>) {
    ^bb0(%78: i8, %79: f32, %80: f32):
      %81 = arith.constant 0 : i8
      %82 = arith.cmpi ne, %78, %81 : i8
      %83 = arith.constant 0xff800000 : f32
      %84 = arith.select %82, %79, %83 : f32
      linalg.yield %84 : f32
    } -> tensor<1x2x?x?xf32>
    %85 = tensor.empty(%4) : tensor<1x2x?xf32>
    %86 = linalg.fill ins(%7 : f32) outs(%85 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %87 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%77 : tensor<1x2x?x?xf32>) outs(%86 : tensor<1x2x?xf32>) {
    ^bb0(%88: f32, %89: f32):
      %90 = arith.maximumf %89, %88 : f32
      linalg.yield %90 : f32
    } -> tensor<1x2x?xf32>
    %91 = tensor.empty(%4, %4) : tensor<1x2x?x?xf32>
    %92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %87 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%91 : tensor<1x2x?x?xf32>) {
    ^bb0(%93: f32, %94: f32, %95: f32):
      %96 = arith.constant 0xff800000 : f32
      %97 = arith.cmpf oeq, %94, %96 : f32
      %98 = arith.constant 0.000000e+00 : f32
      %99 = arith.select %97, %98, %94 : f32
      %100 = arith.subf %93, %99 : f32
      %101 = func.call @kina.exp.f32(%100) : (f32) -> f32
      linalg.yield %101 : f32
    } -> tensor<1x2x?x?xf32>
    %102 = tensor.empty(%4) : tensor<1x2x?xf32>
    %103 = linalg.fill ins(%5 : f32) outs(%102 : tensor<1x2x?xf32>) -> tensor<1x2x?xf32>
    %104 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92 : tensor<1x2x?x?xf32>) outs(%103 : tensor<1x2x?xf32>) {
    ^bb0(%105: f32, %106: f32):
      %107 = arith.addf %106, %105 fastmath<reassoc> : f32
      linalg.yield %107 : f32
    } -> tensor<1x2x?xf32>
    %108 = tensor.empty(%4, %4) : tensor<1x2x?x?xf32>
    %probs = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %104 : tensor<1x2x?x?xf32>, tensor<1x2x?xf32>) outs(%108 : tensor<1x2x?x?xf32>) {
    ^bb0(%109: f32, %110: f32, %111: f32):
      %112 = arith.constant 0.000000e+00 : f32
      %113 = arith.cmpf oeq, %110, %112 : f32
      %114 = arith.constant 1.000000e+00 : f32
      %115 = arith.select %113, %114, %110 : f32
      %116 = arith.divf %109, %115 : f32
      linalg.yield %116 : f32
    } -> tensor<1x2x?x?xf32>
    %117 = tensor.from_elements %6, %4, %4 : tensor<3xindex>
    %118 = tensor.reshape %probs(%117) : (tensor<1x2x?x?xf32>, tensor<3xindex>) -> tensor<2x?x?xf32>
    %119 = tensor.expand_shape %41 [[0 : i64], [1 : i64, 2 : i64]] output_shape [%4, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
    %120 = tensor.empty(%4) : tensor<2x?x2xf32>
    %121 = linalg.transpose ins(%119:tensor<?x2x2xf32>) outs(%120:tensor<2x?x2xf32>) permutation = [1, 0, 2]
    %122 = tensor.empty(%4) : tensor<2x?x2xf32>
    %123 = linalg.fill ins(%5 : f32) outs(%122 : tensor<2x?x2xf32>) -> tensor<2x?x2xf32>
    %124 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%118, %121 : tensor<2x?x?xf32>, tensor<2x?x2xf32>) outs(%123 : tensor<2x?x2xf32>) attrs =  {kina.op = "batch_matmul_nn_2xNx2xN_f32"} {
    ^bb0(%125: f32, %126: f32, %127: f32):
      %128 = arith.mulf %125, %126 fastmath<reassoc,contract> : f32
      %129 = arith.addf %127, %128 fastmath<reassoc,contract> : f32
      linalg.yield %129 : f32
    } -> tensor<2x?x2xf32>
    %130 = tensor.expand_shape %124 [[0 : i64, 1 : i64], [2 : i64], [3 : i64]] output_shape [1, 2, %4, 2] : tensor<2x?x2xf32> into tensor<1x2x?x2xf32>
    %131 = tensor.empty(%4) : tensor<1x?x2x2xf32>
    %132 = linalg.transpose ins(%130:tensor<1x2x?x2xf32>) outs(%131:tensor<1x?x2x2xf32>) permutation = [0, 2, 1, 3]
    %133 = tensor.collapse_shape %132 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] : tensor<1x?x2x2xf32> into tensor<?x4xf32>
    %134 = tensor.empty(%4) : tensor<?x4xf32>
    %135 = linalg.fill ins(%5 : f32) outs(%134 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %136 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%133, %w_wo : tensor<?x4xf32>, tensor<4x4xf32>) outs(%135 : tensor<?x4xf32>) attrs =  {kina.op = "matmul_nn_Nx4x4_f32"} {
    ^bb0(%137: f32, %138: f32, %139: f32):
      %140 = arith.mulf %137, %138 fastmath<reassoc,contract> : f32
      %141 = arith.addf %139, %140 fastmath<reassoc,contract> : f32
      linalg.yield %141 : f32
    } -> tensor<?x4xf32>
    %142 = tensor.expand_shape %136 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %4, 4] : tensor<?x4xf32> into tensor<1x?x4xf32>
    %143 = tensor.empty(%4) : tensor<1x?x4xf32>
    %144 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %142 : tensor<1x?x4xf32>, tensor<1x?x4xf32>) outs(%143 : tensor<1x?x4xf32>) {
    ^bb0(%145: f32, %146: f32, %147: f32):
      %148 = arith.addf %145, %146 : f32
      linalg.yield %148 : f32
    } -> tensor<1x?x4xf32>
    %149 = tensor.collapse_shape %144 [[0 : i64, 1 : i64], [2 : i64]] : tensor<1x?x4xf32> into tensor<?x4xf32>
    %150 = tensor.empty(%4) : tensor<?x8xf32>
    %151 = linalg.fill ins(%5 : f32) outs(%150 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%149, %w_lm_head : tensor<?x4xf32>, tensor<4x8xf32>) outs(%151 : tensor<?x8xf32>) attrs =  {kina.op = "matmul_nn_Nx8x4_f32"} {
    ^bb0(%153: f32, %154: f32, %155: f32):
      %156 = arith.mulf %153, %154 fastmath<reassoc,contract> : f32
      %157 = arith.addf %155, %156 fastmath<reassoc,contract> : f32
      linalg.yield %157 : f32
    } -> tensor<?x8xf32>
    %all = tensor.expand_shape %152 [[0 : i64, 1 : i64], [2 : i64]] output_shape [1, %4, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
    %158 = tensor.extract_slice %all[0, %9, 0] [1, 1, 8] [1, 1, 1] : tensor<1x?x8xf32> to tensor<1x1x8xf32>
    %159 = tensor.expand_shape %32 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, %4, 2, 2] : tensor<?x4xf32> into tensor<1x?x2x2xf32>
    %160 = tensor.empty(%4) : tensor<1x2x2x?xf32>
    %161 = linalg.transpose ins(%159:tensor<1x?x2x2xf32>) outs(%160:tensor<1x2x2x?xf32>) permutation = [0, 2, 3, 1]
    %162 = tensor.expand_shape %41 [[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [1, %4, 2, 2] : tensor<?x4xf32> into tensor<1x?x2x2xf32>
    %163 = tensor.empty(%4) : tensor<1x2x?x2xf32>
    %164 = linalg.transpose ins(%162:tensor<1x?x2x2xf32>) outs(%163:tensor<1x2x?x2xf32>) permutation = [0, 2, 1, 3]
    %165 = bufferization.materialize_in_destination %161 in %0 : (tensor<1x2x2x?xf32>, tensor<1x2x2x?xf32>) -> tensor<1x2x2x?xf32>
    %166 = bufferization.materialize_in_destination %164 in %1 : (tensor<1x2x?x2xf32>, tensor<1x2x?x2xf32>) -> tensor<1x2x?x2xf32>
    %167 = bufferization.materialize_in_destination %158 in %2 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
    func.return %165, %166, %167 : tensor<1x2x2x?xf32>, tensor<1x2x?x2xf32>, tensor<1x1x8xf32>
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
}
