-- How soon Neovim shows the faults of a model after a change, over all models of a folder:
--   ZWANG_MODELS=models nvim --headless -u NONE -c "luafile bench/editor.lua" -c "qa!"
-- with zwang on the search path. Each model is opened, a comment is typed at its end, and the time is taken until the server's
-- answer to that change has come; the least of five.
local clock, asked, answered = vim.loop.hrtime, 0, 0
local came = false
local client = vim.lsp.start_client({
  name = "zwang", cmd = { "zwang", "lsp" }, flags = { debounce_text_changes = 0 },
  handlers = { ["textDocument/publishDiagnostics"] = function() answered, came = clock(), true end },
})
local function wait() return vim.wait(20000, function() return came end, 1) end
local worst, slow, all = 0, "", {}
for _, path in ipairs(vim.fn.glob(vim.fn.getenv("ZWANG_MODELS") .. "/*.zw", false, true)) do
  came = false
  vim.cmd("edit " .. vim.fn.fnameescape(path))
  vim.lsp.buf_attach_client(0, client)
  wait()
  local least = math.huge
  for turn = 1, 5 do
    came, asked = false, clock()
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { "# typed " .. turn })
    if not wait() then io.stdout:write(path, " has no answer\n") end
    least = math.min(least, (answered - asked) / 1e6)
  end
  all[#all + 1] = least
  if least > worst then worst, slow = least, path end
  vim.cmd("bwipeout!")
end
table.sort(all)
io.stdout:write(string.format("%d models: median %.1f ms, slowest %.1f ms (%s)\n", #all, all[math.ceil(#all / 2)], worst, slow))
