export const styles = `
  :root {
    color-scheme: light dark;
    --paper: light-dark(#eef2f0, #131816);
    --sheet: light-dark(#ffffff, #1c2321);
    --ink: light-dark(#16201c, #e8efec);
    --quiet: light-dark(#55625d, #9fb0a9);
    --edge: light-dark(#cfd9d5, #37433f);
    --act: light-dark(#0b6b4b, #6fd3ac);
    --on-act: light-dark(#ffffff, #0c1713);
    --alarm: light-dark(#a3261b, #ffa79d);
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
  header { padding: 0.625rem 1.25rem; background: light-dark(#ffe9a8, #4a3a06); color: light-dark(#3a2c00, #ffeab0);
    text-align: center; font-size: 0.9375rem; }
  main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; border: 1px solid var(--edge); border-radius: 0.75rem;
    background: var(--sheet); overflow-wrap: anywhere; }
  h1 { margin: 0 0 1.25rem; font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
  h2 { margin: 2rem 0 0.75rem; font-size: 1.125rem; }
  p { margin: 0.25rem 0 1rem; }
  a { color: var(--act); }
  button { width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--edge); border-radius: 0.5rem;
    background: var(--sheet); color: var(--ink); font: inherit; cursor: pointer; }
  button:hover { border-color: var(--act); }
  button.main { border-color: var(--act); background: var(--act); color: var(--on-act); font-weight: 600; }
  :focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
  .quiet { color: var(--quiet); font-size: 0.9375rem; }
  .alarm { padding: 0.75rem 1rem; border: 1px solid var(--alarm); border-radius: 0.5rem; color: var(--alarm); }
  ul { margin: 1rem 0 0; padding: 0; list-style: none; }
  li { padding: 0.75rem 0; border-top: 1px solid var(--edge); }
  li p { margin: 0 0 0.5rem; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .row > span { flex: 1 1 12rem; }
  .row button { width: auto; min-height: 2.25rem; padding: 0.25rem 0.75rem; font-size: 0.875rem; }
  code { font-size: 0.8125rem; color: var(--quiet); }
  @media (max-width: 34rem) { main { margin: 0; border-width: 0 0 1px; border-radius: 0; } }
`
