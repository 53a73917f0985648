// StoryLM-0 from C++: the loop of python/kina/generation/host_loop.py over the same compiled
// functions, without Python. Prints the seed token and the three that follow it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <vector>

#include "storylm0_generate.h"

namespace {

// The sizes in kina/storylm0_generate.kina.
constexpr int64_t H = 2, Dh = 2, D = H * Dh, V = 8;

// The weights of tests/reference/storylm0.py: element i is ((first + step * i) mod 17 - 8) / 8,
// which float32 holds exactly.
std::vector<float> Pattern(int64_t first, int64_t step, int64_t size) {
  std::vector<float> values(size);
  for (int64_t i = 0; i < size; ++i) {
    values[i] = static_cast<float>((first + step * i) % 17 - 8) / 8;
  }
  return values;
}

// The descriptor of a tensor in C order.
template <typename Descriptor>
Descriptor Describe(void* data, std::initializer_list<int64_t> sizes) {
  Descriptor tensor{data, data, 0, {}, {}};
  std::copy(sizes.begin(), sizes.end(), tensor.sizes);
  int64_t stride = 1;
  for (size_t axis = sizes.size(); axis-- > 0;) {
    tensor.strides[axis] = stride;
    stride *= tensor.sizes[axis];
  }
  return tensor;
}

}  // namespace

int main() {
  auto embed_data = Pattern(6, 3, V * D), wq_data = Pattern(3, 7, D * D),
       wk_data = Pattern(11, 3, D * D), wv_data = Pattern(6, 11, D * D),
       wo_data = Pattern(2, 13, D * D), lm_head_data = Pattern(9, 6, D * V);
  auto scale_data = static_cast<float>(std::sqrt(0.5));
  const auto embed = Describe<kina_tensor_2>(embed_data.data(), {V, D});
  const auto wq = Describe<kina_tensor_2>(wq_data.data(), {D, D});
  const auto wk = Describe<kina_tensor_2>(wk_data.data(), {D, D});
  const auto wv = Describe<kina_tensor_2>(wv_data.data(), {D, D});
  const auto wo = Describe<kina_tensor_2>(wo_data.data(), {D, D});
  const auto lm_head = Describe<kina_tensor_2>(lm_head_data.data(), {D, V});
  const kina_tensor_0 scale{&scale_data, &scale_data, 0};

  // The token and the logits of a step, and a cache for each length: the host owns all memory.
  int64_t id = 3;
  float logits_data[V], k_data[3][H * Dh * 3], v_data[3][H * Dh * 3];
  const auto token = Describe<kina_tensor_2>(&id, {1, 1});
  const auto logits = Describe<kina_tensor_3>(logits_data, {1, 1, V});
  kina_tensor_4 k[3], v[3];
  for (int64_t past = 0; past < 3; ++past) {
    k[past] = Describe<kina_tensor_4>(k_data[past], {1, H, Dh, past + 1});
    v[past] = Describe<kina_tensor_4>(v_data[past], {1, H, past + 1, Dh});
  }

  std::cout << id;
  const auto step = [&](auto decode, const auto*... caches) {
    decode(&embed, &wq, &wk, &wv, &wo, &lm_head, &scale, &token, caches..., &logits);
    _mlir_ciface_greedy_one(&logits, &token);
    std::cout << ' ' << id;
  };
  step(_mlir_ciface_decode_self, &k[0], &v[0]);
  step(_mlir_ciface_decode_s1, &k[0], &v[0], &k[1], &v[1]);
  step(_mlir_ciface_decode_s2, &k[1], &v[1], &k[2], &v[2]);
  std::cout << '\n';
}
