"""Make a tiny language model for tests: random weights, a few words, less than a megabyte.

It runs where `gguf` and `numpy` are installed: `python tiny_model.py tiny.gguf`. A real server that loads it speaks the
real protocol and answers nonsense.

No layer writes to the first number of a hidden state, so it stays 1; the first column of the output weights is
therefore a constant bias for each token. The bias makes answers end.
"""

import argparse
from collections.abc import Iterator

import gguf
import numpy as np
import numpy.typing as npt

WIDTH, LAYERS, HEADS, CONTEXT = 64, 2, 4, 8192
HIDDEN = 2 * WIDTH
TEXT = """
the and with to for at in of is a day week tea bread book garden music song friend walk read write cook paint
sleep sleeping rest breakfast lunch dinner market school river
"""
WORDS = TEXT.split()
SPACE = "\u2581"
"""Marks a blank in this kind of vocabulary."""
BIAS = {"</s>": 55.0, '"': 60.0, "}": 60.0, "]": 60.0, ",": 50.0, ":": 20.0}
WORD_SCALE = 4.0
"""How much more the weights of whole words vary than those of letters."""

Weights = npt.NDArray[np.float32]


def vocabulary() -> Iterator[tuple[str, float, gguf.TokenType]]:
    """Yield token, score and type: controls, bytes, letters, words and their prefixes (tokens are merged pairwise)."""
    yield "<unk>", 0.0, gguf.TokenType.UNKNOWN
    yield "<s>", 0.0, gguf.TokenType.CONTROL
    yield "</s>", 0.0, gguf.TokenType.CONTROL
    for byte in range(256):
        yield f"<0x{byte:02X}>", 0.0, gguf.TokenType.BYTE
    letters = [*map(chr, range(33, 127)), SPACE, "\n"]
    for letter in letters:
        yield letter, -1000.0, gguf.TokenType.NORMAL
    beginnings = dict.fromkeys((SPACE + word)[:end] for word in WORDS for end in range(2, len(word) + 2))
    for beginning in beginnings:
        yield beginning, -20.0 + len(beginning), gguf.TokenType.NORMAL


def tensors(tokens: list[str]) -> Iterator[tuple[str, Weights]]:
    """Yield the name and values of every tensor."""
    chance = np.random.default_rng(1)

    def random(*shape: int, scale: float = 1.0) -> Weights:
        return (chance.standard_normal(shape) * scale / np.sqrt(shape[-1])).astype(np.float32)

    def silent(weights: Weights) -> Weights:
        weights[0] = 0.0
        return weights

    embedding = chance.standard_normal((len(tokens), WIDTH)).astype(np.float32)
    embedding[:, 0] = 1.0
    yield "token_embd.weight", embedding
    yield "output_norm.weight", np.ones(WIDTH, np.float32)
    yield "output.weight", _output(tokens, chance)
    for layer in range(LAYERS):
        name = f"blk.{layer}"
        for norm in ("attn_norm", "ffn_norm"):
            yield f"{name}.{norm}.weight", np.ones(WIDTH, np.float32)
        for part in ("attn_q", "attn_k", "attn_v"):
            yield f"{name}.{part}.weight", random(WIDTH, WIDTH, scale=2.0)
        yield f"{name}.attn_output.weight", silent(random(WIDTH, WIDTH, scale=2.0))
        for part in ("ffn_gate", "ffn_up"):
            yield f"{name}.{part}.weight", random(HIDDEN, WIDTH, scale=2.0)
        yield f"{name}.ffn_down.weight", silent(random(WIDTH, HIDDEN, scale=2.0))


def _output(tokens: list[str], chance: np.random.Generator) -> Weights:
    weights = (chance.standard_normal((len(tokens), WIDTH)) * 0.15).astype(np.float32)
    for row, token in enumerate(tokens):
        if token.startswith("<0x"):
            weights[row] = 0.0
        elif token.startswith(SPACE) and len(token) > len(SPACE) + 1:
            weights[row] *= WORD_SCALE
        weights[row, 0] = BIAS.get(token, 0.0)
    return weights


def write(path: str) -> None:
    entries = list(vocabulary())
    tokens = [token for token, _, _ in entries]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([token.encode() for token in tokens])
    writer.add_token_scores([score for _, score, _ in entries])
    writer.add_token_types([int(kind) for _, _, kind in entries])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: ")
    for name, weights in tensors(tokens):
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", help="the file to write")
    write(parser.parse_args().path)
