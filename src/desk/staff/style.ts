/** Short forms within a row of a table. */
export const staffStyle = `
table.members th { overflow-wrap: anywhere }
form.inline, .acts { display: flex; white-space: nowrap; gap: .5rem; align-items: center }
form.inline select { min-height: 0; padding: .3rem .5rem; font-size: .9375rem }
@media (max-width: 40rem) { table.members .acts, table.members td > .button { margin-top: .5rem } }
`
