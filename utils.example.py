"""Settings in one file, as in the released code. Copy it to reverie/backend_server/utils.py.

Every line is optional. Keys are safer in .env (see .env.example). Relative paths count from reverie/backend_server.
`python validate_setup.py` checks this file.
"""

# Option A: OpenRouter, one key for the models of many providers. You may choose any of its models.
use_openrouter = False
openrouter_api_key = "<Your OpenRouter API key>"
openrouter_chat_model = "openai/gpt-5.4-nano"
openrouter_gpt4_model = "openai/gpt-5.4-mini"

# Option B: OpenAI.
openai_api_key = "<Your OpenAI API key>"

# Option C: Gemini.
gemini_api_key = "<Your Gemini API key>"

# Option D: your own server: ollama, vllm, llamacpp, lmstudio, or any OpenAI-compatible server by its base_url.
# provider = "ollama"
# fast_model = "llama3.2"
# base_url = "http://localhost:9000/v1"

# Option E: Azure OpenAI. The models are the names of your deployments.
# provider = "azure"
# azure_openai_api_key = "<Your Azure key>"
# base_url = "https://NAME.openai.azure.com"
# fast_model = "my-deployment"

# Option F: no model, only rules. This is also what you get without a key.
# provider = "offline"

# Your name.
key_owner = "<Name>"

maze_assets_loc = "../../environment/frontend_server/static_dirs/assets"
env_matrix = f"{maze_assets_loc}/the_ville/matrix"
env_visuals = f"{maze_assets_loc}/the_ville/visuals"
fs_storage = "../../environment/frontend_server/storage"
fs_temp_storage = "../../environment/frontend_server/temp_storage"
collision_block_id = "32125"

# Print how many questions each persona asked.
debug = False

# More optional settings; .env.example and docs/models.md explain them.
# fast_model = "gpt-5.4-nano"
# advanced_model = "gpt-5.4-mini"
# MODEL_CONVERSE = "advanced"
# embedder = "hashing"
# language = "ru"
# max_cost = 5.00
# wallet = 20.00
# max_concurrency = 0
