/** Colours, type, the head and foot of every page. */
export const frame = `
:root {
  color-scheme: light dark;
  --paper: #faf8f3; --sheet: #fff; --ink: #1b1916; --soft: #635d54; --rule: #d9d3c7; --edge: #8b8377;
  --mark: #8a2b1c; --bar: #8a2b1c; --good: #1f5f3a; --good-wash: #e9f2ea; --warn: #7a4a00; --warn-wash: #f9efd9;
  --bad: #9b1c12; --bad-wash: #fbe9e5; --on-solid: #fff;
  --display: 'Abril Fatface', 'Bodoni 72', 'Bodoni MT', Didot, Georgia, 'DejaVu Serif', serif;
  --text: Charter, 'Bitstream Charter', Georgia, Cambria, 'DejaVu Serif', serif;
  --plain: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  --gutter: clamp(1rem, 4vw, 2.5rem);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161412; --sheet: #1e1b18; --ink: #e8e3da; --soft: #a59e93; --rule: #38332d; --edge: #7d756a;
    --mark: #e08a73; --bar: #d0765e; --good: #8fd0a5; --good-wash: #17251b; --warn: #e6bd72; --warn-wash: #2a2113;
    --bad: #f2998a; --bad-wash: #2e1a17; --on-solid: #161412;
  }
}
*, *::before, *::after { box-sizing: border-box }
html { text-size-adjust: 100%; -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem }
body {
  margin: 0 auto; max-width: 38rem; min-height: 100vh; padding: 0 var(--gutter); display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--text); overflow-wrap: break-word;
}
body.signed-in { max-width: 66rem }
h1, h2, h3 { margin: 0; font-weight: 700; line-height: 1.2; letter-spacing: -.01em; text-wrap: balance }
h1 { font-size: clamp(1.75rem, 5vw, 2.25rem); line-height: 1.1; margin-bottom: 1.5rem }
h2 { font-size: 1.25rem; margin-bottom: .75rem }
h3 { font-size: 1.0625rem; margin-bottom: .35rem }
p { margin: 0 0 1rem; text-wrap: pretty }
p:last-child { margin-bottom: 0 }
a { color: inherit; text-decoration-color: var(--edge); text-decoration-thickness: 1px; text-underline-offset: .18em }
a:hover { text-decoration-color: currentcolor }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; border-radius: 2px }
main:focus { outline: none }
code { font: .875em/1.5 var(--mono); overflow-wrap: anywhere }
.skip { position: absolute; inset-inline-start: -100vw; padding: .5rem 1rem; background: var(--ink); color: var(--paper) }
.skip:focus { inset-inline-start: var(--gutter); z-index: 1 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.masthead { border-bottom: 1px solid var(--ink); box-shadow: 0 4px 0 var(--paper), 0 7px 0 var(--ink); margin-bottom: 7px }
.masthead .top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1.5rem; padding: 1.1rem 0 .7rem }
.masthead p { margin: 0 }
.nameplate { font: 400 1.5rem/1.2 var(--display); letter-spacing: -.01em }
.nameplate a { text-decoration: none }
.nameplate .place { font: .8125rem/1.2 var(--plain); letter-spacing: 0; color: var(--soft); padding-inline-start: .5em }
.whose { display: flex; gap: .75em; align-items: baseline; min-width: 0; max-width: 100%; font: .875rem/1.5 var(--plain) }
.whose .account { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 22rem; color: var(--soft) }
.whose .balance { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap }
.sections ul { display: flex; flex-wrap: wrap; gap: 0 1.75em; list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule); font: .9375rem/1.5 var(--plain) }
.sections a { display: inline-block; padding: .55em 0; text-decoration: none; color: var(--soft) }
.sections a:hover { color: var(--ink) }
.sections [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -3px 0 var(--mark) }
main { flex: 1; padding: 2rem 0 4rem }
.signed-in main { padding-top: 2.25rem }
.footer { border-top: 1px solid var(--rule); padding: 1rem 0 1.75rem; font: .8125rem/1.5 var(--plain); color: var(--soft) }
.footer .row { display: flex; flex-wrap: wrap; gap: .75rem 2rem; justify-content: space-between; align-items: center }
.footer p { margin: 0 }
.footer a { color: inherit }

.crumbs { font: .875rem/1.5 var(--plain); margin-bottom: .5rem; color: var(--soft) }
.lede { font-size: 1.125rem; max-width: 38em; margin: -.75rem 0 1.75rem; color: var(--soft) }
.soft { color: var(--soft) }
.small { font: .875rem/1.5 var(--plain); color: var(--soft) }
.narrow { max-width: 38rem }
@media (max-width: 34rem) {
  .sections ul { display: grid; grid-template-columns: repeat(3, auto); gap: 0 1rem; justify-content: space-between; padding: .25rem 0 }
  .sections a { padding: .5em 0 .4em }
  .whose { width: 100%; justify-content: space-between }
}
@media print {
  :root { --paper: #fff; --sheet: #fff; --ink: #000; --soft: #444; --rule: #bbb; --edge: #888 }
  .sections, .footer, .skip, .unprinted { display: none }
  body { max-width: none; padding: 0; font-size: 11pt }
  a { text-decoration: none }
}
`
