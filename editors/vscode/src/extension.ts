// Starts `ruleloom lsp` for the packs of a window. Everything that it shows comes from that server.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const INSTALL = "pip install './ruleloom-0.1.0-py3-none-any.whl[lsp]'";
const STEPS = "ruleloom-steps";
const ZIP = "ruleloom-zip";
const WINDOWS = process.platform === "win32";
const BIN = WINDOWS ? "Scripts" : "bin";
const PROGRAM = WINDOWS ? "ruleloom.exe" : "ruleloom";

let client: LanguageClient | undefined;
let steps = "";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("ruleloom.restart", restart),
    vscode.workspace.registerTextDocumentContentProvider(STEPS, {
      provideTextDocumentContent: () => steps,
    }),
    vscode.workspace.registerTextDocumentContentProvider(ZIP, { provideTextDocumentContent: inZip }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("ruleloom")) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

/** The text of a file in a zip, which can only be read. */
async function inZip(uri: vscode.Uri): Promise<string> {
  const request = { uri: uri.toString() };
  const answer = await client?.sendRequest<{ text: string }>("workspace/textDocumentContent", request);
  return answer?.text ?? "";
}

/** The words that start the server: of the settings, of the workspace's environment, of the path. */
function command(): string[] | undefined {
  const set = vscode.workspace.getConfiguration("ruleloom").get<string[]>("command") ?? [];
  if (set.length > 0) return set;
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const beside = folders.flatMap((folder) =>
    [".venv", "venv"].map((name) => join(folder.uri.fsPath, name, BIN, PROGRAM)),
  );
  const onPath = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = [...beside, ...onPath.map((folder) => join(folder, PROGRAM))].find(existsSync);
  return found === undefined ? undefined : [found];
}

async function start(): Promise<void> {
  const words = command();
  if (words === undefined) {
    await sayHowToInstall();
    return;
  }
  const [program, ...first] = words;
  const server: ServerOptions = { command: program, args: [...first, "lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "untitled", language: "yaml" },
    ],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,toml}") },
    middleware: { executeCommand: shown },
  };
  client = new LanguageClient("ruleloom", "Ruleloom", server, options);
  try {
    await client.start();
  } catch {
    client = undefined;
    await sayHowToInstall();
  }
}

/** Run a command of the server, and show what it answers where that is a text or a list of places. */
async function shown(
  name: string,
  words: unknown[],
  next: (name: string, words: unknown[]) => vscode.ProviderResult<unknown>,
): Promise<unknown> {
  const answer = await next(name, words);
  if (name === "ruleloom.step" || name === "ruleloom.explain") {
    steps = String(answer);
    const uri = vscode.Uri.from({ scheme: STEPS, path: `/${name}-${Date.now()}.txt` });
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
  } else if (name === "ruleloom.run") {
    void vscode.window.setStatusBarMessage(`Ruleloom: ${String(answer)}`, 10_000);
  } else if (name === "ruleloom.uses" && Array.isArray(answer) && client !== undefined) {
    const editor = vscode.window.activeTextEditor;
    const places = await Promise.all(
      answer.map((one) => client!.protocol2CodeConverter.asLocation(one)),
    );
    if (editor !== undefined) {
      const at = editor.selection.active;
      await vscode.commands.executeCommand(
        "editor.action.showReferences", editor.document.uri, at, places,
      );
    }
  }
  return answer;
}

async function sayHowToInstall(): Promise<void> {
  const copy = "Copy the command";
  const chosen = await vscode.window.showWarningMessage(
    `Ruleloom's language server was not found. With the file of a release or of a build, in the environment of this folder: ${INSTALL}`,
    copy,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(INSTALL);
}
