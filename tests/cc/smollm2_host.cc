// SmolLM2-135M from C++: greedy generation over the compiled model, without Python.
//
//   smollm2_host WEIGHTS NEW_TOKENS ID...
//
// WEIGHTS is what `kina export-weights` writes, in the format of python/kina/models/weight_file.py.
// The IDs are the prompt's. Prints the NEW_TOKENS ids that follow them.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "smollm2_135m.h"

namespace {

// The sizes in kina/models/smollm2_135m.kina.
constexpr int64_t L = 30, D = 576, H = 9, G = 3, Dh = 64, F = 1536, V = 49152, C = 8192;

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

// A weight file, mapped: its pages come into memory as they are read.
class WeightFile {
 public:
  explicit WeightFile(const char* path) : path_(path) {
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
      throw std::system_error(errno, std::generic_category(), path);
    }
    size_ = status.st_size;
    void* data = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) throw std::system_error(errno, std::generic_category(), path);
    data_ = static_cast<char*>(data);
    header_ = At<Header>(0, 1);
    if (std::memcmp(header_->magic, "KINAWGTS", 8) != 0 || header_->version != 1) {
      throw std::runtime_error(path_ + ": not a weight file of version 1");
    }
    entries_ = At<Entry>(sizeof(Header), header_->count);
    if (header_->file_size != size_) throw std::runtime_error(path_ + ": cut short");
  }

  // The float32 tensor called `name`, which has to have these sizes.
  template <typename Descriptor>
  Descriptor Tensor(std::string_view name, std::initializer_list<int64_t> sizes) const {
    for (const Entry* entry = entries_; entry != entries_ + header_->count; ++entry) {
      if (name != std::string_view(At<char>(entry->name, entry->name_size), entry->name_size)) {
        continue;
      }
      const int64_t* found = At<int64_t>(entry->sizes, entry->rank);
      if (std::strncmp(entry->dtype, "F32", sizeof(entry->dtype)) != 0 ||
          !std::equal(sizes.begin(), sizes.end(), found, found + entry->rank)) {
        throw std::runtime_error(path_ + ": " + std::string(name) + " is another model's");
      }
      int64_t elements = 1;
      for (const int64_t size : sizes) elements *= size;
      // The compiled code does not write to it.
      return Describe<Descriptor>(const_cast<float*>(At<float>(entry->data, elements)), sizes);
    }
    throw std::runtime_error(path_ + ": " + std::string(name) + " is missing");
  }

 private:
  struct Header {
    char magic[8];
    uint64_t version, file_size, count;
  };
  struct Entry {
    char dtype[8];
    uint64_t name, name_size, sizes, rank, data;
  };

  template <typename T>
  const T* At(uint64_t offset, uint64_t count) const {
    if (offset % alignof(T) != 0 || offset > size_ || count > (size_ - offset) / sizeof(T)) {
      throw std::runtime_error(path_ + ": cut short or corrupt");
    }
    return reinterpret_cast<const T*>(data_ + offset);
  }

  std::string path_;
  uint64_t size_;
  const char* data_;
  const Header* header_;
  const Entry* entries_;
};

// Zeros that take memory as they are written: a cache costs what is used of it.
std::unique_ptr<float, decltype(&std::free)> Zeros(size_t size) {
  auto* data = static_cast<float*>(std::calloc(size, sizeof(float)));
  if (data == nullptr) throw std::bad_alloc();
  return {data, std::free};
}

void Generate(const WeightFile& file, const std::vector<int64_t>& prompt, int64_t new_tokens) {
  const auto embed = file.Tensor<kina_tensor_2>("w.embed", {V, D});
  const auto attn_norm = file.Tensor<kina_tensor_2>("w.layers.attn_norm", {L, D});
  const auto wq = file.Tensor<kina_tensor_3>("w.layers.wq", {L, H * Dh, D});
  const auto wk = file.Tensor<kina_tensor_3>("w.layers.wk", {L, G * Dh, D});
  const auto wv = file.Tensor<kina_tensor_3>("w.layers.wv", {L, G * Dh, D});
  const auto wo = file.Tensor<kina_tensor_3>("w.layers.wo", {L, D, H * Dh});
  const auto ffn_norm = file.Tensor<kina_tensor_2>("w.layers.ffn_norm", {L, D});
  const auto w_gate = file.Tensor<kina_tensor_3>("w.layers.w_gate", {L, F, D});
  const auto w_up = file.Tensor<kina_tensor_3>("w.layers.w_up", {L, F, D});
  const auto w_down = file.Tensor<kina_tensor_3>("w.layers.w_down", {L, D, F});
  const auto norm = file.Tensor<kina_tensor_1>("w.norm", {D});

  const auto keys = Zeros(L * G * C * Dh), values = Zeros(L * G * C * Dh), scores = Zeros(V);
  auto k_front = Describe<kina_tensor_4>(keys.get(), {L, G, C, Dh});
  auto v_front = Describe<kina_tensor_4>(values.get(), {L, G, C, Dh});
  const auto logits = Describe<kina_tensor_1>(scores.get(), {V});

  int64_t ids[128] = {}, position = 0, count;
  const kina_tensor_0 count_tensor{&count, &count, 0};
  const auto call = [&](auto function, int64_t size, const auto*... rest) {
    const auto tokens = Describe<kina_tensor_1>(ids, {size});
    // The front of the cache, with room for the new tokens: the strides stay those of the whole.
    k_front.sizes[2] = v_front.sizes[2] = position + size;
    function(&embed, &attn_norm, &wq, &wk, &wv, &wo, &ffn_norm, &w_gate, &w_up, &w_down, &norm,
             &tokens, rest..., &k_front, &v_front, &logits);
    position += count;
  };

  // The prompt in chunks, the last one padded. Padding must fit the cache as well.
  for (int64_t rest = prompt.size(); rest > 0; rest -= count) {
    count = position + 128 <= C ? std::min<int64_t>(rest, 128) : 1;
    std::copy_n(prompt.end() - rest, count, ids);
    if (count == 1) {
      call(_mlir_ciface_decode, 1);
    } else if (count <= 16) {
      call(_mlir_ciface_prefill_16, 16, &count_tensor);
    } else {
      call(_mlir_ciface_prefill_128, 128, &count_tensor);
    }
  }
  for (int64_t step = 0; step < new_tokens; ++step) {
    if (step > 0) call(_mlir_ciface_decode, 1);
    ids[0] = std::max_element(scores.get(), scores.get() + V) - scores.get();
    count = 1;
    std::cout << ids[0] << std::endl;
  }
}

// The number that `text` is, from 0 to `last`.
int64_t Number(std::string_view text, int64_t last) {
  int64_t number = -1;
  const auto [rest, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || rest != text.end() || number < 0 || number > last) {
    throw std::runtime_error("'" + std::string(text) + "' is no number from 0 to " +
                             std::to_string(last));
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 4) throw std::runtime_error("usage: smollm2_host WEIGHTS NEW_TOKENS ID...");
    std::vector<int64_t> prompt;
    for (int i = 3; i < argc; ++i) prompt.push_back(Number(argv[i], V - 1));
    const int64_t room = C - static_cast<int64_t>(prompt.size());
    if (room < 0) throw std::runtime_error("the prompt is longer than the context");
    Generate(WeightFile(argv[1]), prompt, Number(argv[2], room));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
