module wend

go 1.26
