/* The scripts call `orgchat complete`, so that completion always fits the installed version. */

const bash = `# orgchat completion for bash: source <(orgchat completion bash)
_orgchat() {
  # bash takes --color=pink for three words, which the command is to see as the one it is.
  local words=() places=() last=-1 word found status i IFS=$'\\n'
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [ "$last" -ge 0 ] && { [ "$word" = "=" ] || [[ "\${words[last]}" == --*= ]]; }; then words[last]+="$word"
    else words[++last]="$word" places[last]="$i"; fi
  done
  local typed="\${words[last]}" cur="\${COMP_WORDS[COMP_CWORD]}" assigned=""
  if [[ "$typed" == --*=* ]]; then assigned="\${typed%%=*}="; cur="\${typed#*=}"; fi
  found="$(orgchat complete -- "\${words[@]}" 2>/dev/null)"
  status=$?
  COMPREPLY=()
  if [ "$status" -eq 11 ]; then
    i="\${places[found]}"
    if declare -F _command_offset >/dev/null; then _command_offset "$i"
    elif [ "$COMP_CWORD" -eq "$i" ]; then COMPREPLY=($(compgen -c -- "$cur"))
    else compopt -o default 2>/dev/null; fi
    return
  fi
  # Names come from the organization: whatever is in them, the shell must take it as text.
  while IFS= read -r word; do
    word="\${word%%$'\\t'*}"
    word="\${word#"$assigned"}"
    case "$cur" in
      \\"*)
        if [[ "$word" == *!* ]]; then continue; fi
        word="\${word//\\\\/\\\\\\\\}" word="\${word//\\"/\\\\\\"}" word="\${word//\\$/\\\\\\$}"
        word="\\"\${word//\\\`/\\\\\\\`}" ;;
      \\'*)
        if [[ "$word" == *\\'* ]]; then continue; fi
        word="'$word" ;;
      *)
        printf -v word %q "$word"
        word="\${word//\\\\,/,}" ;;
    esac
    if [[ -n "$word" && "$word" != "''" && "$word" == "$cur"* ]]; then
      # Readline keeps the quote that was typed.
      COMPREPLY+=("\${word#[\\"\\']}")
    fi
  done <<< "$found"
  if [ "\${#COMPREPLY[@]}" -gt 0 ]; then return; fi
  if [ "$status" -eq 10 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _orgchat orgchat
`;

const zsh = `#compdef orgchat
# orgchat completion for zsh: source <(orgchat completion zsh)
_orgchat() {
  local line answer
  local -i code
  local -a found
  answer="$(orgchat complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"
  code=$?
  if (( code == 11 )); then
    shift $(( answer + 1 )) words
    (( CURRENT -= answer + 1 ))
    _normal
    return
  fi
  for line in "\${(@f)answer}"; do
    if [[ -n "$line" ]]; then found+=("\${\${line//:/\\\\:}/$'\\t'/:}"); fi
  done
  if (( \${#found} )); then
    _describe orgchat found
  elif (( code == 10 )); then
    _files
  fi
}
if [ "\${funcstack[1]}" = _orgchat ]; then _orgchat "$@"; else compdef _orgchat orgchat; fi
`;

const fish = `# orgchat completion for fish: orgchat completion fish | source
function __orgchat_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (orgchat complete -- $words[2..-1] 2>/dev/null)
  set -l code $status
  if test $code -eq 11
    complete -C (string join ' ' -- (string escape -- $words[(math $found + 2)..-2]) (commandline -ct))
  else if test (count $found) -gt 0
    printf '%s\\n' $found
  else if test $code -eq 10
    __fish_complete_path (commandline -ct)
  end
end
complete -c orgchat -f -a '(__orgchat_complete)'
`;

export const scripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof scripts;
export const shells = Object.keys(scripts) as [Shell, ...Shell[]];
export const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name);
