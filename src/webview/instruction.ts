/** Runs inside the instruction panel: sends clicks, shows the live state. The page itself is made by the extension. */
import { PANEL_ACTIONS, parseToPanel, type FromPanel, type PanelState } from './messages.ts';

interface WebviewApi {
  postMessage(message: FromPanel): void;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): WebviewApi;

const vscode = acquireVsCodeApi();

// What the panel is restored from when the window is loaded again.
vscode.setState({ folder: document.body.dataset['folder'] });

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (!button) return;
  const { action, path } = button.dataset;
  const known = PANEL_ACTIONS.find((each) => each === action);
  if (known) vscode.postMessage({ type: 'action', action: known });
  else if (path !== undefined) vscode.postMessage({ type: 'openFile', path });
});

window.addEventListener('message', (event) => {
  const message = parseToPanel(event.data);
  if (message) show(message.state);
});

function show(state: PanelState): void {
  const status = document.getElementById('status');
  if (status) {
    status.dataset['tone'] = state.tone;
    // Only what changed is read out, and reading the same words twice helps nobody.
    if (status.textContent !== state.words) status.textContent = state.words;
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action="cancel"]'))
    button.hidden = !state.busy;
}

vscode.postMessage({ type: 'ready' });
