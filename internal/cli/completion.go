package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `The script is printed; a shell reads it like this:

    bash:  source <(wend completion bash)
    zsh:   wend completion zsh > "${fpath[1]}/_wend"
    fish:  wend completion fish > ~/.config/fish/completions/wend.fish`
}

func (c *completionCmd) Run(e *env) error {
	cmds := completions(e.model)
	global := flagsOf(e.model.Node)
	var b strings.Builder
	switch c.Shell {
	case "bash":
		bashCompletion(&b, cmds, global)
	case "zsh":
		zshCompletion(&b, cmds, global)
	case "fish":
		fishCompletion(&b, cmds, global)
	}
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

// completion is what a shell has to know of one command.
type completion struct {
	name, help string
	flags      []flagWords
	words      []string // what its argument may be; nil: a file
}

type flagWords struct {
	names  []string // --navmesh, -q
	help   string
	isBool bool
	words  []string // allowed values; nil: anything, most often a file
}

// completions reads the commands out of the grammar, so that a script knows
// exactly what the binary that printed it knows.
func completions(app *kong.Application) []completion {
	var out []completion
	for _, n := range app.Leaves(true) {
		c := completion{name: n.Name, help: n.Help, flags: flagsOf(n)}
		for _, p := range n.Positional {
			c.words = append(c.words, enumOf(p)...)
		}
		out = append(out, c)
	}
	return out
}

func flagsOf(n *kong.Node) []flagWords {
	var out []flagWords
	for _, f := range n.Flags {
		if f.Hidden {
			continue
		}
		w := flagWords{names: []string{"--" + f.Name}, help: f.Help, isBool: f.IsBool(), words: enumOf(f.Value)}
		if f.Short != 0 {
			w.names = append(w.names, "-"+string(f.Short))
		}
		out = append(out, w)
	}
	return out
}

// enumOf returns the allowed values without the empty one, which stands for
// "not given".
func enumOf(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(v.Enum, ","), func(s string) bool { return s == "" })
}

func bashCompletion(b *strings.Builder, cmds []completion, global []flagWords) {
	var names []string
	for _, c := range cmds {
		names = append(names, c.name)
	}
	fmt.Fprintf(b, `# completion of wend for bash; an empty answer leaves the word to file names
_wend() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= words= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        %s) cmd=${COMP_WORDS[i]}; break ;;
        esac
    done
    case $cmd:$prev in
`, strings.Join(names, "|"))
	for _, c := range cmds {
		for _, f := range c.flags {
			if f.isBool {
				continue
			}
			var pat []string
			for _, n := range f.names {
				pat = append(pat, c.name+":"+n)
			}
			if f.words != nil {
				fmt.Fprintf(b, "    %s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", strings.Join(pat, "|"), strings.Join(f.words, " "))
			} else {
				fmt.Fprintf(b, "    %s) return ;;\n", strings.Join(pat, "|"))
			}
		}
	}
	b.WriteString("    esac\n    case $cmd in\n")
	fmt.Fprintf(b, "    '') words='%s' ;;\n", strings.Join(append(names, allNames(global)...), " "))
	for _, c := range cmds {
		all := append(slices.Clone(c.words), allNames(append(slices.Clone(c.flags), global...))...)
		fmt.Fprintf(b, "    %s) words='%s' ;;\n", c.name, strings.Join(all, " "))
	}
	var worded []string // commands whose argument is one of a few words
	for _, c := range cmds {
		if c.words != nil {
			worded = append(worded, c.name)
		}
	}
	fmt.Fprintf(b, `    esac
    case $cmd:$cur in
    :*|*:-*|%s:*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    esac
}
complete -o bashdefault -o default -F _wend wend
`, strings.Join(worded, ":*|"))
}

func allNames(flags []flagWords) []string {
	var out []string
	for _, f := range flags {
		out = append(out, f.names...)
	}
	return out
}

func zshCompletion(b *strings.Builder, cmds []completion, global []flagWords) {
	b.WriteString(`#compdef wend
_wend() {
    local curcontext="$curcontext" state line
    local -a commands
    _arguments -C \
`)
	zshFlags(b, global)
	b.WriteString(`        '1:command:->command' \
        '*::argument:->argument'
    case $state in
    command)
        commands=(
`)
	for _, c := range cmds {
		fmt.Fprintf(b, "            %s\n", zshQuote(c.name+":"+c.help))
	}
	b.WriteString(`        )
        _describe command commands ;;
    argument)
        case $words[1] in
`)
	for _, c := range cmds {
		fmt.Fprintf(b, "        %s)\n            _arguments \\\n", c.name)
		zshFlags(b, c.flags)
		if c.words != nil {
			fmt.Fprintf(b, "        '1:word:(%s)' ;;\n", strings.Join(c.words, " "))
		} else {
			b.WriteString("        '*:file:_files' ;;\n")
		}
	}
	b.WriteString(`        esac ;;
    esac
}
if [ "$funcstack[1]" = "_wend" ]; then
    _wend "$@"
else
    compdef _wend wend
fi
`)
}

func zshFlags(b *strings.Builder, flags []flagWords) {
	for _, f := range flags {
		for _, n := range f.names {
			help := strings.NewReplacer("[", "(", "]", ")", ":", " -").Replace(f.help)
			spec := n + "[" + help + "]"
			switch {
			case f.isBool:
			case f.words != nil:
				spec += ":value:(" + strings.Join(f.words, " ") + ")"
			default:
				spec += ":value:_files"
			}
			if !f.isBool {
				spec = "*" + spec // a flag such as --via may come again
			}
			fmt.Fprintf(b, "        %s \\\n", zshQuote(spec))
		}
	}
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishCompletion(b *strings.Builder, cmds []completion, global []flagWords) {
	b.WriteString("# completion of wend for fish\n")
	for _, f := range global {
		fishFlag(b, "", f)
	}
	for _, c := range cmds {
		fmt.Fprintf(b, "complete -c wend -n __fish_use_subcommand -f -a %s -d %s\n", c.name, fishQuote(c.help))
	}
	for _, c := range cmds {
		cond := " -n " + fishQuote("__fish_seen_subcommand_from "+c.name)
		if c.words != nil {
			fmt.Fprintf(b, "complete -c wend%s -f -a %s\n", cond, fishQuote(strings.Join(c.words, " ")))
		}
		for _, f := range c.flags {
			fishFlag(b, cond, f)
		}
	}
}

func fishFlag(b *strings.Builder, cond string, f flagWords) {
	fmt.Fprintf(b, "complete -c wend%s", cond)
	for _, n := range f.names {
		if long, ok := strings.CutPrefix(n, "--"); ok {
			fmt.Fprintf(b, " -l %s", long)
		} else {
			fmt.Fprintf(b, " -s %s", n[1:])
		}
	}
	switch {
	case f.isBool:
	case f.words != nil:
		fmt.Fprintf(b, " -x -a %s", fishQuote(strings.Join(f.words, " ")))
	default:
		b.WriteString(" -r")
	}
	fmt.Fprintf(b, " -d %s\n", fishQuote(f.help))
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
