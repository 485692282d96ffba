import { useCommands } from '@/components/commands/use-commands.ts'
import { authorsStrings } from '@/lib/strings/authors.ts'

/** The command that shows in the text who wrote what, and hides it. */
export const useAuthorCommand = (isShown: boolean, show: (isShown: boolean) => void): void =>
  useCommands([
    {
      id: 'authors',
      title: isShown ? authorsStrings.commands.hide : authorsStrings.commands.show,
      section: 'Document',
      run: () => show(!isShown),
    },
  ])
