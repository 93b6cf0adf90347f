export const style = `
:root { color-scheme: light dark; --ink: #1c1a17; --soft: #6b655c; --paper: #fbf9f4; --rule: #ddd6c8; --mark: #8a2b1c }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece7dd; --soft: #a39c90; --paper: #191715; --rule: #38332c; --mark: #e08a73 }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; max-width: 38rem; min-height: 100vh; padding: 0 1.25rem; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, 'Bitstream Charter', Cambria, serif;
}
header { display: flex; justify-content: space-between; align-items: baseline; border-bottom: 1px solid var(--rule) }
header p { margin: 1.25rem 0 .75rem }
.name { font-weight: 700; font-size: 1.25rem; letter-spacing: -.01em; color: var(--mark) }
.place, dt, footer { color: var(--soft); font: .875rem/1.5 system-ui, sans-serif }
main { flex: 1; padding: 2rem 0 3rem }
h1 { margin: 0 0 1.5rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance }
dl { margin: 0 0 2rem; border-top: 1px solid var(--rule) }
dl div { display: grid; align-items: baseline; grid-template-columns: 9rem 1fr; gap: 1rem; padding: .625rem 0; border-bottom: 1px solid var(--rule) }
dd { margin: 0; overflow-wrap: anywhere }
code { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, monospace; overflow-wrap: anywhere }
footer { border-top: 1px solid var(--rule); padding: .5rem 0 1rem }
@media (max-width: 30rem) { dl div { grid-template-columns: 1fr; gap: 0 } h1 { font-size: 1.5rem } }
`
