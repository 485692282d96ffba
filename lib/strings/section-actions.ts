/** What is done with a section, by the menu of its row in the outline or by a command. */
export const sectionActionsStrings = {
  up: 'Move up',
  down: 'Move down',
  higher: 'One level higher',
  lower: 'One level lower',
  commands: {
    up: 'Move section up',
    down: 'Move section down',
    higher: 'Section one level higher',
    lower: 'Section one level lower',
    where: 'in Outline',
  },
} as const
