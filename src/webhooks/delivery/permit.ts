/** How long after a worker asked for changes of its endpoints it may begin an attempt. */
export const permitMs = 1_500
/** How often it asks. */
export const beatMs = 400
/** A worker whose machine vanished is given up after this. One that was killed is missed at once: its connection closes. */
export const aliveSeconds = 6
/** How often it is looked for workers that are no more. */
export const lookForDeadMs = 500
