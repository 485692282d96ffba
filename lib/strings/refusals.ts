/** Why a link, a document or an edit was refused or ended, in the words that both sides have for it. */
export const refusalsStrings = {
  /** Each code of lib/protocol/close.ts has its sentence here. */
  ended: {
    lost: 'The connection broke.',
    'going-away': 'The server is restarting.',
    timeout: 'The connection timed out.',
    overloaded: 'The server is busy.',
    drained: 'Another connection took over.',
    refused: 'The connection could not be opened.',
    'not-offered': 'This server does not offer it.',
    behind: 'An edit builds on text that is still on its way.',
    'handed-over': 'The connection shared by your windows ended.',
    'set-aside': 'This document is closed for now, because the server failed on it again and again.',
    full: 'There is no space left for this document.',
    done: 'Closed by this side.',
    'sign-in': 'Sign in again.',
    'bad-frame': 'A frame could not be decoded.',
    'bad-message': 'A message is out of range.',
    'bad-update': 'An edit is not a valid Yjs update.',
    'bad-document': 'That is not a document id.',
    'too-large': 'A message is larger than the limit.',
    forbidden: 'There is no such document, or you may not see it.',
    taken: 'Someone else writes under this window’s id: reload it.',
    'too-costly': 'An edit takes too much of the server’s time.',
    version: 'This page is out of date: reload it.',
  },
  /** A window shows this when the server closes a document that was open in it. */
  accessLost: {
    title: 'You no longer have access to this document.',
    hint: 'Its owner may have deleted it or revoked your link.',
  },
  withDetail: (sentence: string, detail: string) => `${sentence} (${detail})`,
  notYourChange: 'You may not make this change.',
  detail: {
    webSocketCode: (code: number) => `WebSocket close code ${code}`,
    httpStatus: (status: number, message: string) => `${status}: ${message}`,
  },
  /** A decoder says with these what exactly is wrong with bytes. */
  malformed: {
    undecodable: (bytes: number) => `${bytes} bytes that do not decode`,
    endlessNumber: 'a number without an end',
    number: (value: number) => `a number of ${value}`,
    length: (length: number, left: number) => `a length of ${length} with ${left} bytes left`,
    longText: (bytes: number, limit: number) => `a text of ${bytes} bytes; the limit is ${limit}`,
    notUtf8: 'a text that is not UTF-8',
    flag: (value: number) => `a flag of ${value}`,
    kind: (kind: number) => `a message of kind ${kind}`,
    part: (part: number, last: number) => `document part ${part}; known are 0 to ${last}`,
    cause: (cause: number, last: number) => `cause ${cause}; known are 0 to ${last}`,
    role: (role: number, last: number) => `role ${role}; known are 0 to ${last}`,
    manyMessages: (limit: number) => `over ${limit} messages at once (MAX_MESSAGES)`,
    longMessages: (limit: number) => `several messages of over ${limit} bytes (MAX_FRAME_BYTES)`,
    longMessage: (limit: number) => `a message over ${limit} bytes (MAX_MESSAGE_BYTES)`,
    manyPieces: (limit: number) => `over ${limit} pieces waiting`,
    longBody: (bytes: number, limit: number, setting: string) =>
      `${bytes} bytes; the limit is ${limit} (${setting})`,
    digest: (bytes: number, wanted: number) => `a digest of ${bytes} bytes; it has ${wanted}`,
    longTrace: (bytes: number, limit: number) =>
      `a trace of ${bytes} bytes; the limit is ${limit} (MAX_TRACE_BYTES)`,
    longUnpacked: (bytes: number, limit: number) => `${bytes} bytes unpacked; the limit is ${limit}`,
    unpacked: (bytes: number) => `not ${bytes} bytes once unpacked`,
    subLink: (number: number, limit: number) => `sub-link ${number} on a link; the limit is ${limit}`,
    subLinkOfOneSession: (number: number) => `a frame of sub-link ${number} on a link of one session`,
    linkId: (limit: number) => `a link's id of more than ${limit} bytes`,
    linkWithoutKey: 'a link without id and secret',
    recordLength: (limit: number) => `A record's length takes more than ${limit} bytes.`,
    longControl: (bytes: number, limit: number) =>
      `A control of ${bytes} bytes is over the limit of ${limit} bytes (MAX_CONTROL_BYTES).`,
    longFrame: (bytes: number, limit: number) =>
      `A frame of ${bytes} bytes is over the limit of ${limit} bytes (MAX_FRAME_BYTES).`,
  },
} as const
