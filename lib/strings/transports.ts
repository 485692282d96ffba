/** Transports: what was found out about each, and why a connection ended or moved. Each names itself in its file in lib/transports. */
export const transportsStrings = {
  memory: { label: 'Memory', explanation: 'Inside this page, for tests.' },
  /** Behind the name of a transport. */
  findings: {
    notOffered: 'not offered by this server',
    notTried: 'not tried',
    inUse: 'in use',
    worked: 'worked',
    refused: (detail: string | undefined) => (detail ? `refused (${detail})` : 'refused'),
    noAnswer: 'no answer',
    heldBack: (detail: string | undefined) => (detail ? `held back: ${detail}` : 'held back'),
    closedEarly,
    lost: 'worked until the connection broke',
    dismissed: 'sent away',
    beforeNetworkChanged: (finding: string) => `${finding}, before the network changed`,
    bySingleRequests: (finding: string) => `${finding}, by single requests: a streamed one was held back`,
  },
  /** Why another link took over. */
  switchReasons: {
    chosen: 'chosen by you',
    opened: 'opened',
    uploadHeldBack: 'its upload was held back',
    openedAgain: 'opened again',
    better: 'a better one answered',
  },
  /** What exactly went wrong: in brackets, behind what a connection ended for. */
  details: {
    noAnswerCame: 'no answer came',
    noAnswerWithin: (seconds: string) => `no answer within ${seconds} s`,
    notOfferedHere: (transport: string) => `${transport} is not offered here`,
    openingGivenUp: 'The opening was given up.',
    noTicket: 'The answer to the request for a ticket is not a ticket.',
    noStream: 'The answer to the request for a stream is not a stream.',
    noLinkNamed: 'The answer to the request for a polled link names no link.',
    streamEnded: 'The stream ended.',
    eventsEnded: 'The stream of events ended.',
    uploadEnded: 'The server ended the streamed upload.',
    uploadBroke: (error: string) => `The streamed upload broke off: ${error}`,
    postFailed: (error: string) => `A POST failed: ${error}`,
    pingUnanswered: 'a ping was not answered',
    textFrame: 'A text frame on a binary link.',
    frameTooLarge: (bytes: number, limit: number) =>
      `A frame of ${bytes} bytes is over the limit of ${limit} bytes (MAX_FRAME_BYTES).`,
    editTooLarge: (bytes: number, limit: number) =>
      `an edit of ${bytes} bytes is over the limit of ${limit} (MAX_MESSAGE_BYTES)`,
    tooManySessions: (limit: number) => `more than ${limit} sessions on one link`,
    tooManyWindows: (windows: number) => `the shared connection carries ${windows} windows already`,
    windowGone: 'its window is gone',
    somebodyElse: 'someone else has signed in here since',
  },
  simulator: {
    turnedOn: 'to be simulated',
    blocked: 'blocked by the simulator',
    cut: 'cut by the simulator',
  },
} as const

const numerals = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

function closedEarly(times: number): string {
  if (times < 2) return 'closed early'
  if (times === 2) return 'closed early twice'
  return `closed early ${numerals[times - 3] ?? times} times`
}
