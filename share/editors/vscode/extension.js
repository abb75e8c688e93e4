// Starts `zwang lsp` for the models that are open.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("zwang").get("program");
  client = new LanguageClient("zwang", { command, args: ["lsp"] }, { documentSelector: [{ language: "zwang" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
