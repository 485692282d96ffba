import { refusalsStrings } from './refusals.ts'
import { serverRefusalsStrings } from './server-refusals.ts'

/** The HTTP API answers with these when it refuses a request; the server gives the names itself. */
export const apiStrings = {
  caller: {
    signIn: 'This needs a session cookie or a link’s token, and what came is missing, expired or revoked.',
    sessionOnly: 'A link’s token is nobody in particular: this needs a session cookie.',
    otherOrigin: (origin: string) =>
      `Requests from the origin ${origin} are not allowed here. ALLOWED_ORIGINS lists those that are.`,
    noOrigin:
      'A request without an Origin header must bring a link’s token (Authorization: Bearer …) and no cookie.',
  },
  tooFast: {
    newGuests: (seconds: number) =>
      `Too many new guests from your address (LIMIT_NEW_GUESTS). Try again in ${seconds} s.`,
    documentsOfPerson: (seconds: number) =>
      `You create documents too fast (LIMIT_DOCUMENTS_OF_PERSON). Try again in ${seconds} s.`,
    newDocuments: (seconds: number) =>
      `Too many new documents from your address (LIMIT_NEW_DOCUMENTS). Try again in ${seconds} s.`,
    connections: (seconds: number) =>
      `Too many new connections from your address (LIMIT_CONNECTIONS). Try again in ${seconds} s.`,
    guesses: (seconds: number) => `Too many wrong links or ids (LIMIT_GUESSES). Try again in ${seconds} s.`,
    work: (seconds: number) => `You ask for too much at once (LIMIT_WORK). Try again in ${seconds} s.`,
    tickets: 'Too many tickets were made in the last minute. Try again in a minute.',
    figures: (waiting: number) => `${waiting} answers wait for you already. Try again in a moment.`,
  },
  document: {
    missing: refusalsStrings.ended.forbidden,
    readOnly: serverRefusalsStrings.room.readOnly,
    ownerOnly: 'Only the owner of this document can do this.',
    noneByToken: 'A link’s token owns no documents: this needs a session cookie.',
    copyOf: (title: string) => `Copy of ${title}`,
  },
  folder: {
    missing: 'This folder is not there any more.',
    intoItself: 'A folder cannot be moved into itself.',
    tooDeep: (limit: number) => `Folders can be ${limit} levels deep at most.`,
    tooMany: (limit: number) => `You can have ${limit.toLocaleString('en')} folders at most.`,
    tooManyPlaced: (limit: number) =>
      `Folders, favourites and templates can have ${limit.toLocaleString('en')} documents at most.`,
  },
  link: {
    missing: 'The document has no such link.',
    tooMany: (limit: number) =>
      `A document has at most ${limit} links. Revoke one that is not needed any more.`,
  },
  person: {
    missing: 'Nobody with this id has access by a link.',
  },
  version: {
    missing: 'The document has no such version.',
    tooMany: (limit: number) =>
      `A document keeps at most ${limit} named versions: delete one, or take its name away, first.`,
    manyDownloads: 'Too many versions are being read already. Try again in a moment.',
    recovered: 'After a restore: windows brought back what the backup lacked',
  },
  export: {
    tooLarge: 'This document is too large to be exported in this format. Try another one.',
    oneAtATime: 'Your documents are being exported already.',
    badLanguage: 'Not a language tag such as en-GB',
  },
  file: {
    missing: 'The document has no such file.',
    arriving: 'This file is still being uploaded.',
    taken: 'The document has a file with this id already.',
    badId: 'The id of a file has 22 letters, digits, hyphens and underscores.',
    badMetadata: 'Upload-Metadata is a list of names and Base64 values.',
    noLength: 'Upload-Length must say how many bytes the file has.',
    noOffset: 'Upload-Offset must say where the bytes begin.',
    otherVersion: 'This server speaks tus 1.0.0: Tus-Resumable must say so.',
    otherType: 'The bytes of a file come as application/offset+octet-stream.',
    badChecksum: (algorithms: string) => `Upload-Checksum is one of ${algorithms}, and a Base64 value.`,
    otherChecksum: 'The bytes that arrived are not those that were sent. Send them again.',
    otherOffset: 'The server has more or fewer bytes than that. Ask for Upload-Offset first.',
    tooManyBytes: 'More bytes came than the file has.',
    cut: 'The upload was cut off. Go on where it stopped.',
    finished: 'A file stays for as long as its document uses it.',
    tooLarge: (size: string) => `A file may have at most ${size} (LIMIT_FILE).`,
    documentFull: (size: string) =>
      `The files of a document may take at most ${size} (LIMIT_FILES_OF_DOCUMENT).`,
    tooMany: (limit: number) => `A document has at most ${limit} files.`,
    tooManyUploads: (limit: number) => `At most ${limit} uploads of one person may be on their way at once.`,
    tooManyTransfers: 'Too many files are being read or sent already. Try again in a moment.',
    badRange: 'The file has no such bytes.',
  },
  ticket: {
    missing: 'This ticket was used, has expired, or never was one.',
    otherPage: 'A ticket is taken from a page of this server alone.',
  },
  admin: {
    origin: 'This page may not ask the server for its figures.',
    signIn: 'Sign in with the token first.',
    wrongToken: 'This is not the token.',
    tooManyTries: (seconds: number) => `Too many wrong tokens. Try again in ${seconds} s.`,
  },
  lab: {
    off: 'This server does not show its figures (LAB=off).',
  },
  newDocument: {
    method: 'GET /new makes a document.',
    openAsPage: 'Open /new as a page to make a document.',
    failed: 'No document could be made just now. Try again.',
  },
  page: {
    failed: 'The page could not be made.',
    methods: 'A page answers GET and HEAD.',
  },
  metrics: {
    failed: 'The metrics could not be read.',
    method: 'Metrics are read by GET.',
  },
  input: {
    field: (name: string, problem: string, given: string) => `${name}: ${problem}, given ${given}`,
    all: (fields: readonly string[]) => `${fields.join('; ')}.`,
    wholeBody: 'body',
    longKey: (bytes: number) => `Not a key of at most ${bytes} bytes`,
    noChange: 'Nothing to change',
    nothing: 'nothing',
    notJson: 'The body must come as application/json.',
    badBody: (problem: string) => `${problem}.`,
    unknownCursor: 'Not what a list gave as `next`',
    unknownIds: (most: number) => `Not up to ${most} ids of documents`,
    unknownFolder: 'Not the id of a folder',
    folderName: (most: number) => `Not a name of 1 to ${most} characters`,
    unknownClients: (most: number) => `Not up to ${most} Yjs client ids`,
    otherSort: 'Of a list that is sorted otherwise',
  },
  request: {
    nothingAt: (path: string) => `There is nothing at ${path}.`,
    nothingHere: 'There is nothing here.',
    otherMethod: (method: string, allowed: string) => `${method} is not possible here; possible: ${allowed}.`,
    noPath: 'The request names no path.',
    noHost: 'The Host header names no host.',
    useHttps: 'Use the https address.',
    notHttp: 'That is not HTTP.',
    webSocketOnly: 'Only a WebSocket may be connected to.',
    headersTooLarge: 'The headers are too large.',
    headersOver: (limit: number) => `The headers are larger than ${limit} bytes.`,
    bodyTooLarge: (limit: number) => `The body is larger than the limit of ${limit} bytes.`,
    bodyTooSlow: (seconds: number) => `The body took longer than ${seconds} s.`,
    tooSlow: 'The request took too long.',
  },
  server: {
    failed: 'Something went wrong on the server.',
    storeDown: 'The store cannot be reached at the moment. Try again.',
  },
} as const
