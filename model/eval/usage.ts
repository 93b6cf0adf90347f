/** A command that was called wrongly, or cannot run here. It ends with 2. */
export class Misuse extends Error {}
