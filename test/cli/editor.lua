-- Neovim as an editor of models, set up as docs/editors.md says; prints what it was told, a line each.
local folder = vim.fn.getenv("ZWANG_TEST_FOLDER")
local function wait(is) return vim.wait(20000, is, 5) end
local function tell(...) io.stdout:write(table.concat({ ... }, " "), "\n") end

vim.cmd("edit " .. folder .. "/bad.zw")
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do tell("fault", d.lnum, d.col, d.end_col, (d.message:gsub("\n", " "))) end

vim.cmd("edit " .. folder .. "/good.zw")
local function client() return select(2, next(vim.lsp.buf_get_clients(0))) end
wait(function() return client() and client().initialized end)
local function ask(what, line, column, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = column } }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. what, vim.tbl_extend("force", params, more or {}), 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
tell("hover", (ask("hover", 2, 8).contents.value:gsub("\n", " ")))
tell("offers", #ask("completion", 2, 9))
vim.lsp.util.apply_workspace_edit(ask("rename", 2, 8, { newName = "mass" }), "utf-16")
vim.lsp.util.apply_text_edits(ask("formatting", 0, 0, { options = { tabSize = 2, insertSpaces = true } }), 0, "utf-16")
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do tell("text", line) end
vim.cmd("qa!")
