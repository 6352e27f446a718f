package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"wend/geom"
	"wend/route"
)

// query is one row of a query file.
type query struct{ from, to geom.Vec3 }

// queryColumns are the columns a query file needs, start before goal.
var queryColumns = [6]string{"sx", "sy", "sz", "gx", "gy", "gz"}

// CSVError says what is wrong with a query file, and where.
type CSVError struct {
	File string
	Line int // from 1; 0: the file as a whole
	Col  int // column of text, from 1; 0: the line as a whole
	Msg  string
}

func (e *CSVError) Error() string {
	switch {
	case e.Line == 0:
		return e.File + ": " + e.Msg
	case e.Col == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// readQueries reads a query file: comma-separated, with a header that names at
// least the columns sx, sy, sz, gx, gy and gz, in any order; others are
// ignored. A byte order mark, CRLF line ends and blank lines are accepted.
// Everything else that is odd is a *CSVError: a row left out silently would
// shift the results against the queries.
func readQueries(file string, data []byte) ([]query, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, &CSVError{File: file, Msg: "the file is UTF-16, want UTF-8"}
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.ReuseRecord = true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, &CSVError{File: file, Msg: "the file is empty, want a header with " + strings.Join(queryColumns[:], ",")}
	}
	if err != nil {
		return nil, csvError(file, err)
	}
	var column [6]int
	line, _ := r.FieldPos(0)
	for i, name := range queryColumns {
		column[i] = -1
		for j, h := range header {
			if strings.TrimSpace(h) != name {
				continue
			}
			if column[i] >= 0 {
				_, col := r.FieldPos(j)
				return nil, &CSVError{file, line, col, "column " + name + " appears twice"}
			}
			column[i] = j
		}
	}
	if missing := missingColumns(column); len(missing) > 0 {
		return nil, &CSVError{file, line, 0, "no column " + strings.Join(missing, ", ") + "; the header has to name " + strings.Join(queryColumns[:], ",")}
	}
	var out []query
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(file, err)
		}
		var v [6]float64
		for i, j := range column {
			if v[i], err = parseCoord(rec[j]); err != nil {
				line, col := r.FieldPos(j)
				return nil, &CSVError{file, line, col, queryColumns[i] + ": " + err.Error()}
			}
		}
		out = append(out, query{geom.V3(v[0], v[1], v[2]), geom.V3(v[3], v[4], v[5])})
	}
	if len(out) == 0 {
		return nil, &CSVError{File: file, Msg: "no queries: the file has a header and no rows"}
	}
	return out, nil
}

func missingColumns(column [6]int) []string {
	var missing []string
	for i, j := range column {
		if j < 0 {
			missing = append(missing, queryColumns[i])
		}
	}
	return slices.Clip(missing)
}

func csvError(file string, err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		msg := pe.Err.Error()
		if errors.Is(pe.Err, csv.ErrFieldCount) {
			return &CSVError{file, pe.Line, 0, "the row has more or fewer fields than the header"}
		}
		return &CSVError{file, pe.Line, pe.Column, msg}
	}
	return &CSVError{File: file, Msg: err.Error()}
}

// answer is one row of a result file.
type answer struct {
	status             route.Status
	length             float64
	points             int
	snapStart, snapEnd float64
	micros             float64
}

// writeAnswers writes a result file: a header and one row a query.
func writeAnswers(w io.Writer, answers []answer) error {
	if _, err := io.WriteString(w, "status,length,points,snap_start,snap_end,micros\n"); err != nil {
		return err
	}
	var b []byte
	for _, a := range answers {
		b = append(b[:0], a.status.String()...)
		b = strconv.AppendFloat(append(b, ','), a.length, 'f', 6, 64)
		b = strconv.AppendInt(append(b, ','), int64(a.points), 10)
		b = strconv.AppendFloat(append(b, ','), a.snapStart, 'f', 6, 64)
		b = strconv.AppendFloat(append(b, ','), a.snapEnd, 'f', 6, 64)
		b = strconv.AppendFloat(append(b, ','), a.micros, 'f', 1, 64)
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}
