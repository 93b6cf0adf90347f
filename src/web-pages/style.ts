import { mastheadFont } from './static-files.ts'

/**
 * Colours, typography, header and footer for every page, in the tone of the sites (publishing/assets/). The font is
 * swapped in even if it arrives late: the first page that an owner sees must show whose it is.
 */
export const frameStyle = `
@font-face { font-family: 'Abril Fatface'; src: url('${mastheadFont.url}') format('woff2'); font-display: swap }
:root {
  color-scheme: light dark;
  --paper: #faf8f3; --sheet: #fff; --ink: #1b1916; --soft: #635d54; --rule: #d9d3c7; --edge: #8b8377;
  --mark: #8a2b1c; --good: #1f5f3a; --good-wash: #e9f2ea; --warn: #7a4a00; --warn-wash: #f9efd9;
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
    --mark: #e08a73; --good: #8fd0a5; --good-wash: #17251b; --warn: #e6bd72; --warn-wash: #2a2113;
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
h1 { font: 400 clamp(2rem, 6vw, 2.75rem)/1.08 var(--display); letter-spacing: 0; margin-bottom: 1.5rem }
h2 { font-size: 1.25rem; margin-bottom: .75rem }
h3 { font-size: 1.0625rem; margin-bottom: .35rem }
p { margin: 0 0 1rem; text-wrap: pretty }
p:last-child { margin-bottom: 0 }
a { color: inherit; text-decoration-color: var(--edge); text-decoration-thickness: 1px; text-underline-offset: .18em }
a:hover { text-decoration-color: currentcolor }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 3px }
main:focus { outline: none }
code { font: .875em/1.5 var(--mono); overflow-wrap: anywhere }
.skip { position: absolute; inset-inline-start: -100vw; padding: .5rem 1rem; background: var(--ink); color: var(--paper) }
.skip:focus { inset-inline-start: var(--gutter); z-index: 1 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.masthead { border-bottom: 1px solid var(--ink); box-shadow: 0 4px 0 var(--paper), 0 7px 0 var(--ink); margin-bottom: 7px }
.masthead .top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1.5rem; padding: 1rem 0 .6rem }
.masthead p { margin: 0 }
.nameplate { font: 400 1.875rem/1.2 var(--display) }
.nameplate a { text-decoration: none }
.nameplate .place { font: .75em/1.2 var(--text); color: var(--mark) }
.whose { display: flex; gap: .75em; align-items: baseline; min-width: 0; max-width: 100%; font: .875rem/1.5 var(--plain) }
.whose .account { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 22rem; color: var(--soft) }
.whose .balance { font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap }
.sections ul { display: flex; flex-wrap: wrap; gap: 0 1.75em; list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--rule); font: .9375rem/1.5 var(--plain) }
.sections a { display: inline-block; padding: .55em 0; text-decoration: none; color: var(--soft) }
.sections a:hover { color: var(--ink) }
.sections [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -3px 0 var(--mark) }
main { flex: 1; padding: 2rem 0 4rem }
.signed-in main { padding-top: 2.25rem }
.footer { border-top: 3px double var(--ink); padding: 1rem 0 1.75rem; font: .8125rem/1.5 var(--plain); color: var(--soft) }
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

/** Buttons and fields. */
export const forms = `
.button {
  display: inline-block; min-height: 2.75rem; padding: .625rem 1.25rem; border: 1px solid var(--ink);
  background: var(--ink); color: var(--paper); font: 600 1rem/1.4 var(--plain); text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--ink) 85%, var(--paper)); text-decoration: underline; text-underline-offset: .18em }
.button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); font-weight: 500 }
.button.quiet:hover { border-color: var(--ink); background: color-mix(in srgb, var(--ink) 6%, transparent) }
.button.danger { background: var(--bad); border-color: var(--bad); color: var(--on-solid) }
.button.danger:hover { background: color-mix(in srgb, var(--bad) 85%, var(--ink)) }
.button.quiet.danger { background: transparent; color: var(--bad) }
.button.slight { min-height: 0; padding: .3rem .75rem; font-size: .875rem }
.button:disabled { opacity: 1; color: var(--soft); background: var(--paper); border-color: var(--rule); cursor: not-allowed }
button.plain { border: 0; padding: 0; background: none; color: inherit; font: inherit; text-decoration: underline; text-underline-offset: .18em; cursor: pointer }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1.25rem 0 0 }
form { margin: 0 }
.field { margin: 0 0 1.25rem }
.field label, .choices legend:not(.unseen) { display: block; font: 600 .9375rem/1.5 var(--plain); margin-bottom: .3rem; padding: 0 }
input, select, textarea {
  display: block; width: 100%; max-width: 26rem; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 0;
  background: var(--sheet); color: var(--ink); font: 1rem/1.5 var(--plain);
}
textarea { max-width: none; min-height: 8rem; resize: vertical; font: 1.0625rem/1.6 var(--text) }
select { width: auto }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-color: var(--ink); outline-offset: 0; border-color: var(--ink) }
input[type='radio'], input[type='checkbox'] { display: inline-block; width: 1.15rem; height: 1.15rem; min-height: 0; margin: 0; accent-color: var(--mark); flex: none }
input.code { max-width: 14rem; font: 600 1.75rem/1.3 var(--mono); letter-spacing: .2em; text-align: center }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad) }
.hint, .error { font: .875rem/1.5 var(--plain); margin: .35rem 0 0; color: var(--soft) }
.error { color: var(--bad); font-weight: 600 }
.choices { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0 }
.choice { display: flex; gap: .6rem; align-items: start; padding: .4rem 0; font: 1rem/1.4 var(--plain); cursor: pointer }
.choice input { margin-top: .13rem }
.choices.row { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.choices.row legend:not(.unseen) { width: 100% }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.75rem, 1fr)); gap: 0 1.25rem; align-items: end }
.fields select { width: 100% }
.copy { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 }
.copy input { flex: 1 1 18rem; max-width: none; font-family: var(--mono); font-size: .9375rem }
.amounts { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem }
.amounts .button { width: 100%; min-height: 4.5rem; padding: .5rem; background: var(--sheet); color: var(--ink); border: 1px solid var(--ink); font: 400 1.75rem/1.2 var(--display) }
.amounts .button:hover, .amounts .button:focus-visible { background: var(--ink); color: var(--paper) }
.amounts .button span { display: block; font: .75rem/1.4 var(--plain); margin-top: .2rem }
@media (max-width: 34rem) { .amounts { grid-template-columns: 1fr 1fr } }
`

/** Page content. */
export const contents = `
section + section, .empty + section, .drafts + section, .grid + section, section + .grid, .facts + section { margin-top: 2.75rem }
.notice + .purse { margin-top: 2rem }
.notice + .lede { margin-top: 0 }
form + p, .button + p { margin-top: 1rem }
.card { background: var(--sheet); border: 1px solid var(--rule); border-top: 3px solid var(--ink); padding: 1.25rem 1.5rem 1.5rem; min-width: 0 }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem }
.grid > section + section { margin-top: 0 }
@media (min-width: 56rem) { .grid.uneven { grid-template-columns: 2fr 3fr } }
.heading { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1rem; margin-bottom: .75rem }
.heading h1, .heading h2 { margin-bottom: 0 }
.heading p, .heading a { font: .875rem/1.5 var(--plain); margin: 0 }

.notice { border-inline-start: 4px solid var(--edge); background: var(--sheet); padding: .9rem 1.1rem; margin: 0 0 1.25rem; font-size: 1rem }
.notice h2 { font-size: 1.0625rem; margin-bottom: .25rem }
.notice p { margin-bottom: .5rem }
.notice p:last-child { margin-bottom: 0 }
.notice .buttons { margin-top: .75rem }
.notice.good { border-color: var(--good); background: var(--good-wash) }
.notice.warn { border-color: var(--warn); background: var(--warn-wash) }
.notice.bad { border-color: var(--bad); background: var(--bad-wash) }

.badge { display: inline-block; padding: .1em .6em; border: 1px solid var(--edge); border-radius: 1em; font: 500 .8125rem/1.5 var(--plain); color: var(--soft); white-space: nowrap }
.badge.good { color: var(--good); border-color: var(--good) }
.badge.warn { color: var(--warn); border-color: var(--warn) }
.badge.bad { color: var(--bad); border-color: var(--bad) }

dl { margin: 0 }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
.facts { border-top: 1px solid var(--rule); margin: 0 0 1.5rem }
.facts div { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; align-items: baseline; padding: .6rem 0; border-bottom: 1px solid var(--rule) }
.facts dt { color: var(--soft); font: .9375rem/1.5 var(--plain) }
.card .facts { margin-bottom: 0 }
.card .facts div { grid-template-columns: 9rem 1fr }

.table { overflow-x: auto; max-width: 100% }
table { width: 100%; border-collapse: collapse; font: .9375rem/1.5 var(--plain) }
caption { text-align: start; font: .875rem/1.5 var(--plain); color: var(--soft); padding-bottom: .5rem }
th, td { text-align: start; vertical-align: baseline; padding: .65rem 1rem .65rem 0; border-bottom: 1px solid var(--rule) }
th:last-child, td:last-child { padding-inline-end: 0 }
thead th { font-weight: 500; font-size: .8125rem; color: var(--soft); border-bottom-color: var(--ink); white-space: nowrap }
tbody th { font-weight: 500 }
td.wide { overflow-wrap: anywhere; min-width: 6rem }
tr.total > * { font-weight: 700 }
.when { white-space: nowrap; color: var(--soft); font-variant-numeric: tabular-nums }
.amount { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
.in { color: var(--good) }
.under { display: block; font-size: .875rem; color: var(--soft) }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin-top: 1.25rem; font: .9375rem/1.5 var(--plain) }
.pages a { display: inline-block; padding: .5rem 0 }

.empty { padding: 2.5rem 1.25rem; border: 1px dashed var(--edge); text-align: center; color: var(--soft) }
.empty p:first-child { font: 400 1.5rem/1.2 var(--display); color: var(--ink); margin-bottom: .35rem }
.quoted { border-inline-start: 3px solid var(--rule); padding-inline-start: 1.1rem; margin: 0 0 1.25rem; overflow-wrap: anywhere }
.quoted h3 { font-size: 1.1875rem }
details > summary { cursor: pointer; font: .9375rem/1.5 var(--plain); padding: .5rem 0; color: var(--soft) }
details > summary:hover { color: var(--ink) }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0 }

.purse { margin-bottom: 1.5rem }
.purse .sum { font: 400 clamp(3.25rem, 12vw, 5rem)/1 var(--display); margin: 0 0 .6rem }
.purse .label { font: .875rem/1.5 var(--plain); color: var(--soft); margin: 0 0 .25rem }
.purse .buys { color: var(--soft); max-width: 40em }
.after { margin-top: 1rem }
.later { margin-top: 2rem }
.lines { white-space: pre-line }
.address { font: 700 clamp(1.25rem, 4vw, 1.75rem)/1.2 var(--text); overflow-wrap: anywhere }
.card-name { font-size: 1.1875rem }
.statements li { padding: .9rem 0; border-top: 1px solid var(--rule) }
.statements p { margin: 0 0 .4rem }
.receipt { background: var(--sheet); border: 1px solid var(--rule); padding: clamp(1.25rem, 5vw, 3rem); max-width: 44rem }
@media (min-width: 60rem) { table.led td.lead { min-width: 13rem } }
@media (max-width: 40rem) {
  .facts div, .card .facts div { grid-template-columns: 1fr }
  .card { padding: 1.1rem 1.1rem 1.25rem }
  table.cards, table.cards tbody, table.cards tr, table.cards th, table.cards td { display: block }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.cards tr { padding: .8rem 0; border-bottom: 1px solid var(--rule) }
  table.cards tbody tr:first-child { border-top: 1px solid var(--ink) }
  table.cards td, table.cards tbody th { padding: .15rem 0; border: 0; text-align: start; white-space: normal }
  table.cards [data-label] { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 .75rem }
  table.cards [data-label]::before { content: attr(data-label); color: var(--soft); font-weight: 400; font-size: .875rem }
  table.cards td.none { display: none }
  table.led tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem }
  table.led td { grid-column: 1 / -1 }
  table.led td.lead, table.led td.amount { display: block; grid-row: 1 }
  table.led td.lead { grid-column: 1; font-size: 1rem }
  table.led td.amount { grid-column: 2; text-align: end; font-size: 1rem }
  table.led td.lead::before, table.led td.amount::before { content: none }
}
@media print { .receipt { border: 0; padding: 0; background: none } .card, .notice { break-inside: avoid } }
`
