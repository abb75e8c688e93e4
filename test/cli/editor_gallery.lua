-- Neovim with one model of the gallery after the other, set up as docs/editors.md says. For each a line: the milliseconds from
-- the change that is sent to the diagnostics that come back, the least of several; how many faults there are as it stands and
-- with one typed in; how many names are offered; whether hovering over a name tells of it; in how many places the name is
-- renamed, and how many faults there are then.
local function wait(is) return vim.wait(60000, is, 1) end
local function now() return vim.loop.hrtime() / 1e6 end
local came, faults, answered = nil, {}, nil
local keep = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(err, result, context, config)
  if result.uri == vim.uri_from_bufnr(0) then came, faults, answered = now(), result.diagnostics, result.version end
  return keep(err, result, context, config)
end
local function client() return select(2, next(vim.lsp.buf_get_clients(0))) end

-- tells the server the text as it is now, and waits for its word on it; the editor sends it, too, a little later, by its own count
local version = 1000000
local function send()
  version = version + 1
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
  came = nil
  local sent = now()
  client().rpc.notify("textDocument/didChange",
    { textDocument = { uri = vim.uri_from_bufnr(0), version = version }, contentChanges = { { text = text } } })
  if not wait(function() return came and answered == version end) then error("no diagnostics came") end
  return came - sent
end
local function ask(what, line, column, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = column } }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. what, vim.tbl_extend("force", params, more or {}), 60000)
  for _, answer in pairs(answers or {}) do return answer.result end
end

-- line and column of the first name that is declared
local function declared()
  for i, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    for _, word in ipairs({ "coord", "param", "body", "particle", "ball", "part" }) do
      local at = line:match("^%s*" .. word .. "%s+()[%a]")
      if at then return i - 1, at - 1 end
    end
  end
end

for _, path in ipairs(vim.fn.readfile(vim.fn.getenv("ZWANG_TEST_LIST"))) do
  came = nil
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  wait(function() return client() and client().initialized and came end)
  local least, right = send(), #faults
  for i = 1, 40 do
    if i > 4 and least < 50 then break end -- more only where the machine is busy
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { "# typed " .. i })
    least = math.min(least, send())
  end
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, last, last, false, { "output no_such = no_such_name_at_all" })
  least = math.min(least, send())
  local wrong = #faults
  vim.api.nvim_buf_set_lines(0, last, last + 1, false, {})
  send()
  local line, column = declared()
  local offers, hover, places, after = #(ask("completion", last - 1, 0) or {}), 0, 0, -1
  if line then
    local told = ask("hover", line, column)
    hover = told and told.contents and 1 or 0
    local edit = ask("rename", line, column, { newName = "renamed_by_the_test" })
    for _, edits in pairs(edit and edit.changes or {}) do places = places + #edits end
    if edit then vim.lsp.util.apply_workspace_edit(edit, "utf-16") end
    send()
    after = #faults
  end
  io.stdout:write(string.format("%.2f %d %d %d %d %d %d %s\n", least, right, wrong, offers, hover, places, after, vim.fn.fnamemodify(path, ":t")))
  vim.cmd("bwipeout!")
end
vim.cmd("qa!")
