// Styles of the chat. A constructed sheet bypasses the page's Content-Security-Policy, and `all: initial` blocks the
// page's styles.

export const style = `
:host {
all: initial !important;
--ink: #0f172a;
--line: #cbd5e1;
position: fixed !important;
bottom: 0 !important;
right: 0 !important;
z-index: 2147483000 !important;
font: 16px/1.45 system-ui, sans-serif !important;
color: var(--ink) !important;
}
:host(.left) {
right: auto !important;
left: 0 !important;
}
:host([hidden]) {
display: none !important;
}
[hidden] {
display: none !important;
}
button, textarea {
font: inherit;
color: inherit;
box-sizing: border-box;
margin: 0;
}
button {
cursor: pointer;
}
:focus-visible {
outline: 3px solid var(--ink);
outline-offset: 2px;
box-shadow: 0 0 0 2px #fff;
}
.launcher {
position: fixed;
bottom: 20px;
right: 20px;
width: 60px;
height: 60px;
border: 0;
border-radius: 50%;
padding: 0;
display: grid;
place-items: center;
background: var(--accent);
color: var(--on-accent);
box-shadow: 0 4px 16px #0f172a59;
}
.launcher svg {
width: 30px;
height: 30px;
fill: currentColor;
}
:host(.left) .launcher {
right: auto;
left: 20px;
}
.panel {
position: fixed;
bottom: 92px;
right: 20px;
width: 380px;
height: min(600px, calc(100vh - 112px));
display: flex;
flex-direction: column;
overflow: hidden;
background: #fff;
border: 1px solid var(--line);
border-radius: 14px;
box-shadow: 0 12px 40px #0f172a4d;
}
:host(.left) .panel {
right: auto;
left: 20px;
}
header {
display: flex;
align-items: center;
gap: 10px;
padding: 12px 14px;
background: var(--accent);
color: var(--on-accent);
}
header img {
max-height: 32px;
max-width: 96px;
}
h2 {
flex: 1;
margin: 0;
font: inherit;
font-weight: 600;
overflow-wrap: anywhere;
}
header button {
border: 1px solid currentColor;
border-radius: 8px;
background: none;
padding: 3px 9px;
min-height: 32px;
}
header button:focus-visible {
outline-color: currentColor;
box-shadow: none;
}
.close {
font-size: 20px;
line-height: 1;
min-width: 32px;
}
.notice {
margin: 0;
padding: 9px 14px;
background: #fef3c7;
border-bottom: 1px solid #d97706;
white-space: pre-wrap;
overflow-wrap: anywhere;
font-size: 14px;
max-height: 30%;
overflow-y: auto;
flex: none;
}
.notice.outage {
background: #fee2e2;
border-color: #b91c1c;
}
.log {
flex: 1;
overflow-y: auto;
padding: 14px;
display: flex;
flex-direction: column;
gap: 8px;
}
.said {
margin: 0;
padding: 8px 12px;
border-radius: 12px;
max-width: 84%;
white-space: pre-wrap;
overflow-wrap: anywhere;
align-self: flex-start;
background: #f1f5f9;
}
.said.visitor {
align-self: flex-end;
background: var(--accent);
color: var(--on-accent);
}
.unsent {
opacity: 0.75;
}
.actions {
display: flex;
flex-wrap: wrap;
gap: 8px;
}
.actions button, .retry {
border: 1px solid var(--ink);
border-radius: 18px;
background: #fff;
padding: 6px 13px;
min-height: 36px;
text-align: start;
overflow-wrap: anywhere;
}
.retry {
align-self: flex-end;
}
.state {
margin: 0;
padding: 0 14px 6px;
min-height: 20px;
font-size: 14px;
color: #475569;
}
form {
display: flex;
gap: 8px;
padding: 10px 14px 14px;
border-top: 1px solid var(--line);
}
textarea {
flex: 1;
min-width: 0;
resize: none;
height: 46px;
max-height: 120px;
padding: 10px;
border: 1px solid #64748b;
border-radius: 10px;
background: #fff;
}
form button {
border: 0;
border-radius: 10px;
padding: 0 16px;
min-height: 46px;
background: var(--accent);
color: var(--on-accent);
font-weight: 600;
}
.unseen {
position: absolute;
width: 1px;
height: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
@media (max-width: 639.98px) {
:host(.no-mobile) {
display: none !important;
}
.panel, :host(.left) .panel {
inset: 0;
width: auto;
height: auto;
border: 0;
border-radius: 0;
}
:host(.open) .launcher {
display: none;
}
}
`;
