// Formats a Kina document by `kina fmt -`. A program with a syntax error stays as it is: `kina check` tells of it.
const { spawn } = require("child_process");
const vscode = require("vscode");

function activate(context) {
  const provider = { provideDocumentFormattingEdits: edits };
  context.subscriptions.push(vscode.languages.registerDocumentFormattingEditProvider("kina", provider));
}

async function edits(document) {
  const text = await formatted(document.getText());
  if (text === null) return [];
  const end = document.lineAt(document.lineCount - 1).range.end;
  return [vscode.TextEdit.replace(new vscode.Range(0, 0, end.line, end.character), text)];
}

// The text laid out, or null where it is no program.
function formatted(text) {
  const command = vscode.workspace.getConfiguration("kina").get("command");
  return new Promise((resolve, reject) => {
    const child = spawn(command, ["fmt", "-"]);
    const parts = [];
    child.on("error", (error) => reject(new Error(`${command} cannot be run: ${error.message}; see kina.command`)));
    child.on("close", (code) => resolve(code === 0 ? Buffer.concat(parts).toString("utf8") : null));
    child.stdout.on("data", (part) => parts.push(part));
    child.stdin.on("error", () => {}); // it ended before it read everything, which its exit code tells
    child.stdin.end(text);
  });
}

module.exports = { activate };
