/** A command that was called incorrectly or cannot run here. It exits with 2. */
export class Misuse extends Error {}
