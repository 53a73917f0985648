"""The PyTorch side of the benchmark: the same model in eager mode, float32.

It runs in the interpreter that the user names, which needs torch and nothing else. The weights come
from a folder of raw float32 files that the driver writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
import worker

Cache = list[tuple[torch.Tensor, torch.Tensor]]


class Llama:
    """A Llama-family decoder as eager PyTorch has it: `linear`, `scaled_dot_product_attention`."""

    name = f"torch {torch.__version__}"
    set_threads = staticmethod(torch.set_num_threads)
    new_cache = list

    def __init__(self, folder: Path) -> None:
        described = json.loads((folder / "weights.json").read_text())
        self.config = described["config"]
        self.weights = {
            name: torch.from_file(
                str(folder / name), size=torch.Size(shape).numel(), dtype=torch.float32
            )
            .clone()
            .view(shape)
            for name, shape in described["shapes"].items()
        }
        self.vocabulary = self.weights["embed"].shape[0]
        half = self.config["head_dim"] // 2
        self.frequencies = self.config["rope_base"] ** (-torch.arange(half) / half)

    def best_token(self, tokens: list[int], cache: Cache) -> int:
        """Append `tokens` to the cache; the most probable token after them."""
        c, w = self.config, self.weights
        heads, kv_heads, size = c["n_heads"], c["n_kv_heads"], c["head_dim"]
        past = cache[0][0].shape[1] if cache else 0
        angles = torch.outer(torch.arange(past, past + len(tokens)), self.frequencies)
        cos, sin = angles.cos(), angles.sin()
        x = w["embed"][torch.tensor(tokens)]
        for i in range(c["n_layers"]):
            layer = {name[7:]: w[name][i] for name in w if name.startswith("layers.")}
            h = self._norm(x, layer["attn_norm"])
            q = _rotate(F.linear(h, layer["wq"]).view(-1, heads, size).transpose(0, 1), cos, sin)
            k = _rotate(F.linear(h, layer["wk"]).view(-1, kv_heads, size).transpose(0, 1), cos, sin)
            v = F.linear(h, layer["wv"]).view(-1, kv_heads, size).transpose(0, 1)
            if past:
                k, v = torch.cat([cache[i][0], k], 1), torch.cat([cache[i][1], v], 1)
                cache[i] = (k, v)
            else:
                cache.append((k, v))
            out = F.scaled_dot_product_attention(
                q[None], k[None], v[None], is_causal=past == 0 and len(tokens) > 1, enable_gqa=True
            )
            x = x + F.linear(out[0].transpose(0, 1).reshape(len(tokens), -1), layer["wo"])
            h = self._norm(x, layer["ffn_norm"])
            gated = F.silu(F.linear(h, layer["w_gate"])) * F.linear(h, layer["w_up"])
            x = x + F.linear(gated, layer["w_down"])
        return int(F.linear(self._norm(x[-1:], w["norm"]), w["embed"]).argmax())

    def _norm(self, x: torch.Tensor, gain: torch.Tensor) -> torch.Tensor:
        return F.rms_norm(x, gain.shape, gain, self.config["norm_eps"])


def _rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


if __name__ == "__main__":
    with torch.inference_mode():
        worker.serve(Llama(Path(sys.argv[1])))
