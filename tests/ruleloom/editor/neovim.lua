-- Drives Neovim over a file of a pack, as somebody at the keys would, and writes down what it shows.
-- Globals from the test: SERVER (a command), FILE, ROOT, OUT.

local out = {}

local function settle(count)
  local version = vim.api.nvim_buf_get_changedtick(0)
  vim.wait(60000, function()
    local seen = vim.diagnostic.get(0)
    return #seen == count and vim.b.told == version
  end, 20)
end

local function shown()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { line = one.lnum, column = one.col, message = one.message })
  end
  return found
end

local function request(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    if answer.error then error(method .. ": " .. answer.error.message) end
    return answer.result
  end
end

local function cursor_at(words)
  local before = words:find("|", 1, true) - 1
  local plain = words:gsub("|", "", 1)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local start = line:find(plain, 1, true)
    if start then
      vim.api.nvim_win_set_cursor(0, { number, start - 1 + before })
      return
    end
  end
  error("nowhere: " .. words)
end

vim.cmd("edit " .. FILE)
local publish = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(err, result, context, config)
  publish(err, result, context, config)
  local buffer = vim.uri_to_bufnr(result.uri)
  vim.b[buffer].told = vim.api.nvim_buf_get_changedtick(buffer)
end
local client = vim.lsp.start_client({ name = "ruleloom", cmd = SERVER, root_dir = ROOT })
vim.lsp.buf_attach_client(0, client)
settle(1)
out.diagnostics = shown()

cursor_at("use m|oev")
local params = vim.lsp.util.make_position_params(0, "utf-16")
out.completion = {}
for number, one in ipairs(request("textDocument/completion", params).items) do
  if number <= 3 then table.insert(out.completion, one.label) end
end

local range = vim.lsp.util.make_range_params(0, "utf-16")
range.context = { diagnostics = {} }
local actions = request("textDocument/codeAction", range)
out.action = actions[1].title
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
settle(0)
out.fixed = shown()

cursor_at("id: so|ng")
local rename = vim.lsp.util.make_position_params(0, "utf-16")
rename.newName = "tune"
vim.lsp.util.apply_workspace_edit(request("textDocument/rename", rename), "utf-16")
settle(0)
out.renamed = shown()

vim.lsp.buf.formatting_sync({ tabSize = 4, insertSpaces = true }, 60000)
out.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)

local file = io.open(OUT, "w")
file:write(vim.json and vim.json.encode(out) or vim.fn.json_encode(out))
file:close()
vim.cmd("qall!")
