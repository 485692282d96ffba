import { plural } from './plural.ts'
import { refusalsStrings } from './refusals.ts'

/** What the server alone says as it refuses or ends something: the messages of its gateways, and the details of close reasons. */
export const serverRefusalsStrings = {
  gateway: {
    starting: 'The server is starting.',
    restarting: refusalsStrings.ended['going-away'],
    unknownCaller: 'The server could not look up who you are.',
    foreignOrigin: 'This origin may not come in here.',
    method: (allowed: string) => `Only ${allowed} is answered here.`,
    notOffered: 'This server does not offer this transport (TRANSPORTS).',
    webSocketOnly: 'This address speaks WebSocket only.',
    full: (limit: number) => `There are ${limit} links already.`,
    manyForwards: 'Too many requests are on their way to other servers of this service.',
    badTicket: 'This ticket is unknown, used, expired or someone else’s.',
    noLink: 'There is no such link here.',
    linkOfAnother: 'This link is someone else’s.',
    linkByAnotherCredential: 'This link was opened by another credential.',
    linkEnded: 'This link has ended.',
    notPolled: 'This link is not one that is polled.',
    bodyBrokeOff: 'The body broke off.',
    bodyTooLarge: (limit: number) => `A body over the limit of ${limit} bytes.`,
    batchTooLarge: (bytes: number, limit: number) =>
      `A body of ${bytes} bytes is over the limit of ${limit} bytes (MAX_BATCH_BYTES).`,
    bodyWithinHead: 'The body ends within its head, which names the link.',
    bodyWithinRecord: 'The body ends within a record.',
    bodyBehindPoll: 'There is more than a cursor and a patience.',
    farewellRefused: 'The session refused it.',
  },
  stockGateway: {
    noDocument: 'The path names no document.',
    badTicket: 'This ticket is unknown, used, expired or another document’s.',
    manyTickets: 'Too many tickets wait to be used. Each lives for 30 s.',
    slowReader: 'This client reads too slowly.',
    queueTooLarge: 'too much waits for it',
    undecodable: 'A message could not be decoded.',
    syncStep: (step: number) => `sync step ${step}`,
  },
  link: {
    textFrame: 'A text frame on a binary link.',
    longFrame: (limit: number) => `A frame is over the limit of ${limit} bytes (MAX_FRAME_BYTES).`,
    earlyFrame: 'A frame came before the way down was open.',
    downlinkCut: 'The way down was cut.',
    uploadBrokeOff: 'An upload broke off.',
    futureCursor: (cursor: number, given: number) => `a cursor of ${cursor}; ${given} frames were given`,
    noPoll: (seconds: number) => `no poll for ${seconds} s`,
    noHello: (seconds: number) => `no hello within ${seconds} s`,
    noPong: 'a ping was not answered',
    slowReader: 'this link is read too slowly',
  },
  session: {
    serverError: 'The server made a mistake.',
    notHere: 'There is no such session here.',
    manyConnections: (limit: number) => `more than ${limit} connections of one person or link`,
    manyWindows: (limit: number) => `${limit} windows are open already (LIMIT_SESSIONS_OF_PERSON)`,
    replacedByWindow: 'another window of the same person takes its place',
    beforeHello: (message: string) => `${message} before hello`,
    version: (protocol: number, schema: number, ours: { protocol: number; schema: number }) =>
      `protocol ${protocol}, schema ${schema}; here ${ours.protocol} and ${ours.schema}`,
    openTwice: 'a document that another channel of this session has open',
    manyDocuments: (limit: number) => `more than ${limit} documents in one session`,
    neverAttached: (channel: number) => `an edit on channel ${channel}, which was never attached`,
    notYetAttached: (channel: number) => `an edit on channel ${channel} before it was attached`,
    gap: (expected: number, sent: number) => `a gap before ${expected}; ${sent} were said`,
    badAcknowledgement: (number: number, sent: number) => `a confirmation of ${number}; ${sent} were said`,
    tooSlow: 'this window lags too far behind',
    left: 'the window has left',
    principalQueueFull: (bytes: number) => `more than ${bytes} bytes wait for your windows`,
    serverQueueFull: (bytes: number) => `more than ${bytes} bytes wait for the readers of this server`,
  },
  work: {
    tooMuch: 'You cause more work than the server does for one person (LIMIT_WORK). It goes on in a while.',
  },
  request: {
    many: (limit: number) => `${limit} requests wait already`,
    unknown: (method: string) => `there is no method "${method}"`,
    labOff: 'LAB=off',
    noFigure: 'a figure has a chart and a seed',
  },
  room: {
    noDesk: 'A link has no desk; a person has one.',
    manyGuesses: 'Too many wrong links or ids (LIMIT_GUESSES).',
    setAside: (minutes: number) =>
      `The server tries again in ${minutes === 1 ? 'a minute' : plural(minutes, 'minute')}.`,
    notLoaded: 'The document cannot be loaded now.',
    notRead: 'The document cannot be read now.',
    loadingAgain: 'The document is being loaded again.',
    deleted: 'The document was deleted.',
    rightsUnknown: 'Rights could not be checked.',
    readOnly: 'You can only view this document.',
    documentFull: (limit: number) =>
      `the document would be over the limit of ${limit} bytes (MAX_DOCUMENT_BYTES)`,
    deskFull: (limit: number) => `your desk would be over the limit of ${limit} bytes (MAX_DESK_BYTES)`,
    documentHeavy: (mib: number) =>
      `the document would need more than ${mib} MiB of the server’s memory (MAX_DOCUMENT_MEMORY)`,
    deskHeavy: (mib: number) =>
      `your desk would need more than ${mib} MiB of the server’s memory (MAX_DESK_MEMORY)`,
    personMemory: (mib: number) =>
      `The documents you have open need more than ${mib} MiB of the server’s memory. Close some, or wait a while.`,
    serverMemory: 'The server has no memory left for this document now. It is tried again in a while.',
    muchUnsaved: 'Too much waits to be saved here. Your changes are sent again in a while.',
    manyNewWindows:
      'This document gets new windows and programs too fast. Your changes are sent again in a while.',
    noStateVector: 'not a state vector',
    longStateVector: (entries: number, limit: number) =>
      `a state vector of ${entries} entries: the limit is ${limit} (MAX_UNKNOWN_CLIENTS)`,
  },
  comment: {
    notSaved: (why: string) => `This comment was not saved. ${why}`,
    anotherAuthor: 'It names somebody else than its writer.',
    anotherName: (name: string) => `It is signed with another name than ${name}.`,
    sameId: 'Another message has the id of this one.',
    notYours: 'A message is changed and deleted by whoever wrote it.',
    manyThreads: (limit: number) => `A document has at most ${limit} threads (MAX_THREADS).`,
    manyMessages: (limit: number) => `A thread has at most ${limit} messages (MAX_MESSAGES).`,
  },
  presence: {
    many: (limit: number) => `more than ${limit} presence messages a second`,
    manyClients: (clients: number, limit: number) =>
      `a presence of ${clients} clients: the limit is ${limit} (MAX_UNKNOWN_PRESENCES)`,
    long: (bytes: number, limit: number) => `a presence of ${bytes} bytes; the limit is ${limit}`,
    noObject: (text: string) => `a presence of ${text}`,
    bytesBehind: 'bytes after the end of a presence update',
    caret: (text: string) => `a caret of ${text}`,
  },
  edit: {
    behindRefused: 'It came behind an edit that was refused.',
    clientTaken: (client: number) => `client ${client} is somebody else's`,
    muchWork: (units: number) => `it takes more than ${units} units of work, the limit for its size`,
    // What no author can mean.
    noUpdate: (bytes: number, error: string) => `${bytes} bytes that are not a Yjs update (V1): ${error}`,
    bytesBehind: (bytes: number) =>
      `${bytes} bytes after the end of the update; only encoding V1 is spoken here`,
    runs: (runs: number, clients: number) => `${runs} runs of structs from ${clients} clients`,
    runsDisordered: 'runs of structs in another order than from the highest client to the lowest',
    place: (client: number, clock: number) => `client ${client}, clock ${clock}`,
    hole: (client: number) => `a hole in the structs of client ${client}`,
    highClock: (limit: number) => `a clock over ${limit}`,
    deletionsDisordered: (client: number) => `disordered deletions of client ${client}`,
    builtOn: (client: number, clock: number, known: number) =>
      `it builds on client ${client}, clock ${clock}, of which only ${known} are known`,
    otherContent: (client: number, clock: number) =>
      `client ${client}, clock ${clock} is known with other content`,
    severalValues: 'one key has several values',
    neighbourDeleted: 'one neighbour is deleted for good, the other is not',
    noParent: 'its parent is no type',
    notRight: 'its right neighbour is not right of its left one',
    originConflict: 'what its right neighbour was put behind stands between its neighbours',
    documentWithin: 'a document within the document',
    bigInt: 'a BigInt, which JSON cannot hold',
    protoName: 'a name that is __proto__',
    longName: (letters: number, limit: number) =>
      `a name of ${letters} letters: the limit is ${limit} (MAX_NAME_LENGTH)`,
    longBinary: (bytes: number, limit: number) =>
      `${bytes} bytes as one value: the limit is ${limit} (MAX_BINARY_BYTES)`,
    // Too much in one edit.
    manyClients: (limit: number) => `clients in one edit: the limit is ${limit} (MAX_EDIT_CLIENTS)`,
    manyStructs: (limit: number) => `structs in one edit: the limit is ${limit} (MAX_EDIT_STRUCTS)`,
    manyDeletions: (limit: number) =>
      `clocks without content in one edit: the limit is ${limit} (MAX_EDIT_DELETIONS)`,
    manyRanges: (limit: number) => `ranges of deletions in one edit: the limit is ${limit} (MAX_EDIT_RANGES)`,
    manyArrayValues: (limit: number) =>
      `values of arrays in one edit: the limit is ${limit} (MAX_EDIT_VALUES)`,
    manyObjects: (limit: number) =>
      `arrays and objects in one edit: the limit is ${limit} (MAX_EDIT_OBJECTS)`,
    deepValue: (limit: number) =>
      `arrays and objects within each other: the limit is ${limit} (MAX_VALUE_DEPTH)`,
    manyValues: (limit: number) => `values in one: the limit is ${limit} (MAX_VALUE_NODES)`,
    deepNodes: (limit: number) => `nodes within each other: the limit is ${limit} (MAX_TYPE_DEPTH)`,
  },
} as const
