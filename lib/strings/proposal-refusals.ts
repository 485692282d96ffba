/** What the server says of proposals. */
export const proposalRefusalsStrings = {
  base: 'Where this proposal began',
  missing: 'The document has no such proposal.',
  noneByToken: 'A link’s token is nobody in particular: proposing changes needs a session cookie.',
  editorsOnly: 'Only people who may edit this document may propose changes to it.',
  ofProposal: 'This is a proposal itself. Write in it, or propose changes to its original.',
  shareOriginal: 'A proposal is seen by everybody who may see its original. Share the original.',
  authorOnly: 'Only its author may withdraw a proposal, or open it again afterwards.',
  changed: {
    open: 'This proposal is open.',
    accepting: 'This proposal is being accepted. Look again in a moment.',
    accepted: 'This proposal is accepted already.',
    rejected: 'This proposal is rejected already.',
    withdrawn: 'This proposal is withdrawn already.',
  },
  decidedMeanwhile: 'Somebody else has just decided about this proposal. Look at it again.',
  byParts: 'Some changes of this proposal have been decided already. Accept the others one by one.',
  notMerged: (reason: string) => `This proposal cannot be merged: ${reason} Accept its changes one by one.`,
  unseen: {
    before:
      'Somebody has written in this proposal since you looked. Look at what is new, and accept it again.',
    meanwhile:
      'What you have seen is in the original. Somebody has written in this proposal meanwhile: look at what is new.',
  },
  stillWritten: 'Somebody is still writing in this proposal. Accept it again in a moment.',
  tooManyDecisions: (limit: number) =>
    `A proposal keeps at most ${limit.toLocaleString('en')} decisions. Reject the rest, or take some decisions back.`,
  tooManyOpen: (limit: number) =>
    `At most ${limit} proposals of one author are open for a document. Withdraw one first.`,
  tooMany: (limit: number) =>
    `This document has ${limit} proposals already. Its owner, or their authors, may delete closed ones.`,
} as const
